#include <gtest/gtest.h>

#include "gsan/models/presets.h"
#include "gsan/tasks/graph_classification.h"
#include "gsan/tasks/imputation.h"
#include "gsan/tasks/trajectory.h"

#include "support/expect_error.h"
#include "tasks/task_samples.h"

namespace gsan {
namespace {

Split thirds(std::int64_t count) {
  Split split;
  for (std::int64_t i = 0; i < count; ++i)
    (i % 3 == 0 ? split.test : i % 3 == 1 ? split.validation : split.train).push_back(i);
  return split;
}

ModelOptions small(const SimplicialLayerOptions& layer) {
  ModelOptions options;
  options.network.layer = layer;
  options.network.widths = {8, 8};
  options.pooled.hidden_channels = 8;
  return options;
}

// Everything that a phase hands to a model, one after the other.
std::vector<Tensor> inputs_of(const Task& task, Phase phase, std::int64_t epochs = 2) {
  std::vector<Tensor> all;
  for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
    for (std::int64_t step = 0; step < task.batch_count(phase, epoch); ++step) {
      const Batch batch = task.batch(phase, epoch, step);
      for (const Tensor& signal : batch.signals)
        if (signal.defined()) all.push_back(signal);
      if (batch.rows.defined()) all.push_back(batch.rows);
      if (phase == Phase::train) all.push_back(batch.targets);
    }
  }
  return all;
}

void expect_same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(a[i].equal(b[i])) << "tensor " << i;
}

// Adam on the task's own batches, until its training loss is what it can be.
double trained_accuracy(const Task& task, const ModelOptions& options, int epochs, double rate) {
  Model model(task.complete(options), RandomStream(1, "weights"));
  std::vector<Tensor> parameters = model->parameters(), first, second;
  for (const Tensor& p : parameters) {
    first.push_back(torch::zeros_like(p));
    second.push_back(torch::zeros_like(p));
  }
  int t = 0;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (std::int64_t step = 0; step < task.batch_count(Phase::train, epoch); ++step) {
      const Batch batch = task.batch(Phase::train, epoch, step);
      model->zero_grad();
      task.loss(model->forward(batch.operators, batch.signals, {}, batch.tuples), batch).backward();
      const torch::NoGradGuard no_grad;
      ++t;
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (!parameters[i].grad().defined()) continue;
        first[i].lerp_(parameters[i].grad(), 0.1);
        second[i].lerp_(parameters[i].grad().square(), 0.001);
        const Tensor m = first[i] / (1 - std::pow(0.9, t)), v = second[i] / (1 - std::pow(0.999, t));
        parameters[i].sub_(rate * m / (v.sqrt() + 1e-8));
      }
    }
  }
  return evaluate(task, model, Phase::test).front().second;
}

TEST(GraphClassification, HeldOutLabelsNeverReachAnInput) {
  const ComplexDataset dataset = cycles_and_paths();
  ComplexDataset changed = dataset;
  changed.labels = dataset.labels.clone();
  const Split split = thirds(24);
  for (const std::int64_t i : split.test) changed.labels[i] = 1 - changed.labels[i];
  const GraphClassification a(dataset, split, RandomStream(0, "task"), {.batch_size = 5});
  const GraphClassification b(changed, split, RandomStream(0, "task"), {.batch_size = 5});
  for (const Phase phase : {Phase::train, Phase::validation, Phase::test})
    expect_same(inputs_of(a, phase), inputs_of(b, phase));
}

TEST(GraphClassification, EveryItemIsSeenOncePerEpochInAnOrderOfItsOwn) {
  const GraphClassification task(cycles_and_paths(), thirds(24), RandomStream(0, "task"), {.batch_size = 5});
  EXPECT_EQ(task.batch_count(Phase::train, 0), 2);
  std::int64_t items = 0;
  for (std::int64_t step = 0; step < 2; ++step) items += task.batch(Phase::train, 0, step).targets.numel();
  EXPECT_EQ(items, 8);
  EXPECT_TRUE(task.batch(Phase::train, 3, 0).targets.equal(task.batch(Phase::train, 3, 0).targets));
}

TEST(GraphClassification, LearnsToTellCyclesFromPaths) {
  const GraphClassification task(cycles_and_paths(48), thirds(48), RandomStream(0, "task"),
                                 {.batch_size = 8});
  EXPECT_EQ(trained_accuracy(task, small(presets::gsccn({.order = 1, .length = 2})), 40, 0.01), 100);
}

TEST(GraphClassification, ThePredictionForAComplexDoesNotDependOnItsBatch) {
  const ComplexDataset dataset = cycles_and_paths();
  const GraphClassification task(dataset, thirds(24), RandomStream(0, "t"));
  Model model(task.complete(small(presets::gsan({.order = 1}))), RandomStream(0, "weights"));
  model->eval();
  const torch::NoGradGuard no_grad;
  const std::vector<std::int64_t> all{0, 5, 7, 12};
  const Batch together = collate(dataset, all);
  const Tensor y = model->forward(together.operators, together.signals).values;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Batch alone = collate(dataset, std::span(&all[i], 1));
    const Tensor difference =
        model->forward(alone.operators, alone.signals).values[0] - y[static_cast<std::int64_t>(i)];
    EXPECT_LE(difference.abs().max().item<double>(), 1e-6 * std::max(1.0, y.abs().max().item<double>()));
  }
}

TEST(Trajectory, HeldOutLabelsNeverReachAnInput) {
  const SignalDataset dataset = gradients_and_curls();
  SignalDataset changed = dataset;
  changed.labels = dataset.labels.clone();
  const Split split = thirds(20);
  for (const std::int64_t i : split.test) changed.labels[i] = 1 - changed.labels[i];
  const TrajectoryClassification a(dataset, split, RandomStream(0, "task")),
      b(changed, split, RandomStream(0, "task"));
  for (const Phase phase : {Phase::train, Phase::validation, Phase::test})
    expect_same(inputs_of(a, phase), inputs_of(b, phase));
}

TEST(Trajectory, LearnsToTellGradientsFromCurls) {
  const TrajectoryClassification task(gradients_and_curls(60), thirds(60), RandomStream(0, "task"),
                                      {.batch_size = 10});
  EXPECT_GE(trained_accuracy(task, small(presets::scnn({.length = 1})), 40, 0.02), 95);
}

TEST(Imputation, HiddenValuesNeverReachAnInput) {
  const ValueDataset dataset = coface_counts_dataset();
  const std::int64_t rows = dataset.values[1].size(0);
  const auto missing = random_mask(rows, 20, RandomStream(4, "mask"));
  ValueDataset changed = dataset;
  changed.values[1] = dataset.values[1].clone();
  const Imputation first(dataset, missing, RandomStream(0, "task"), {.order = 1});
  for (const std::int64_t row : missing) changed.values[1][row] = 1e6;
  const Imputation second(changed, missing, RandomStream(0, "task"), {.order = 1});
  for (const Phase phase : {Phase::train, Phase::validation, Phase::test})
    expect_same(inputs_of(first, phase), inputs_of(second, phase));
  // Values to choose by stand as the fill in every input, in training too.
  ValueDataset moved = dataset;
  moved.values[1] = dataset.values[1].clone();
  moved.values[1].index_fill_(0, first.rows(Phase::validation), -1e6);
  const Imputation third(moved, missing, RandomStream(0, "task"), {.order = 1});
  for (const Phase phase : {Phase::train, Phase::validation, Phase::test})
    expect_same(inputs_of(first, phase), inputs_of(third, phase));
}

TEST(Imputation, EveryStepHidesOthersAndTheLossIsOnThem) {
  const ValueDataset dataset = coface_counts_dataset();
  const Imputation task(dataset, {}, RandomStream(0, "task"), {.order = 1});
  const Batch batch = task.batch(Phase::train, 0, 0);
  EXPECT_FALSE(batch.rows.equal(task.batch(Phase::train, 0, 1).rows));
  EXPECT_TRUE(batch.rows.equal(task.batch(Phase::train, 0, 0).rows));
  EXPECT_TRUE((batch.signals[1].squeeze(-1).index_select(0, batch.rows) == task.fill()).all().item<bool>());
  EXPECT_FALSE(batch.targets.isnan().any().item<bool>());
}

TEST(Imputation, CopyingTheDamagedInputHasAClosedForm) {
  const ValueDataset dataset = coface_counts_dataset();
  const Tensor values = (dataset.values[1].nan_to_num(1)).clone();
  const std::int64_t rows = values.size(0);
  const auto mask = random_mask(rows, 30, RandomStream(2, "mask"));
  std::vector<std::int64_t> known;
  for (std::int64_t i = 0; i < rows; ++i)
    if (!std::binary_search(mask.begin(), mask.end(), i)) known.push_back(i);
  const double fill = 3;
  ValueMeter meter;
  meter.add(fill_rule(values, torch::tensor(known, torch::kInt64), fill), values);
  double right = static_cast<double>(known.size());
  for (const std::int64_t i : mask)
    right += std::abs(values[i].item<double>() - fill) <= 0.05 * values[i].item<double>();
  EXPECT_DOUBLE_EQ(meter.value().front().second, 100 * right / static_cast<double>(rows));
}

TEST(Imputation, NeighborModeTakesTheSmallestOfEquals) {
  // Two triangles with a common edge: the edge's upper neighbours are the four others.
  ComplexBuilder builder;
  builder.add({0, 1, 2}).add({1, 2, 3});
  const SimplicialComplex complex = builder.build();
  const Tensor values = torch::tensor({5.0, 4.0, 9.0, 5.0, 4.0}, torch::kFloat64);  // 01 02 12 13 23
  const Tensor known = torch::tensor({0, 1, 3, 4}, torch::kInt64);
  EXPECT_EQ(neighbor_mode_rule(complex, 1, values, known, 7)[2].item<double>(), 4);
  EXPECT_EQ(neighbor_mode_rule(complex, 1, values, torch::empty({0}, torch::kInt64), 7)[2].item<double>(), 7);
}

TEST(Imputation, RefusesWhatIsNotThere) {
  const ValueDataset dataset = coface_counts_dataset();
  expect_error(Fault::argument, {"no values of order 0"},
               [&] { Imputation(dataset, {}, RandomStream(0, "t"), {.order = 0}); });
  expect_error(Fault::argument, {"row -1"},
               [&] { Imputation(dataset, {-1}, RandomStream(0, "t"), {.order = 1}); });
}

}  // namespace
}  // namespace gsan
