// Tasks whose models compute in another order: nobody outside can tell.

#include <gtest/gtest.h>

#include "gsan/tasks/graph_classification/task.h"
#include "gsan/tasks/imputation/missing_rows.h"
#include "gsan/tasks/imputation/task.h"
#include "gsan/tasks/simplex_classification/task.h"
#include "gsan/tasks/simplex_prediction/task.h"
#include "gsan/tasks/trajectory/task.h"
#include "gsan/topology/relabel.h"

#include "support/expect_error.h"
#include "tasks/task_probes.h"
#include "tasks/task_samples.h"
#include "tasks/task_settings_sample.h"

namespace gsan {
namespace {

const Placement given{.type = torch::kFloat64, .order = VertexOrder::given},
    other{.type = torch::kFloat64, .order = VertexOrder::cuthill_mckee};

// The annulus with its vertices in no order, values on all edges but one, features on vertices and edges.
ValueDataset shuffled_values() {
  ValueDataset dataset = coface_counts_dataset();
  RandomStream names(5, "names");
  const auto permutation = names.permutation<Vertex>(dataset.complex.count(0));
  dataset.complex = relabel(dataset.complex, permutation).complex;
  dataset.values[1] = ComplexOperators(dataset.complex).coface_counts(1) + 1;
  dataset.values[1][3] = NAN;
  for (int k = 0; k <= 2; ++k)
    dataset.features.push_back(
        random_signal(dataset.complex.count(k), 2, concat("features", k), torch::kFloat64));
  return dataset;
}

// Weights of one seed after some steps of plain descent in float64.
Model trained(const Task& task, const std::string& readout) {
  Model model(small("gsan", readout), task.shape(), RandomStream(1, "weights"));
  model->to(torch::kFloat64);
  for (std::int64_t step = 0; step < 6; ++step) {
    const Batch batch = task.batch(Phase::train, step, 0);
    model->zero_grad();
    ForwardContext context;
    context.signal_keys = batch.signal_keys;
    task.loss(model->forward(batch.operators, batch.signals, context, batch.tuples), batch).backward();
    const torch::NoGradGuard no_grad;
    for (Tensor& parameter : model->parameters())
      if (parameter.grad().defined()) parameter.sub_(0.01 * parameter.grad());
  }
  return model;
}

void expect_close(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(a.sizes(), b.sizes());
  EXPECT_GT(b.std().item<double>(), 1e-6);
  EXPECT_LE((a - b).abs().max().item<double>(), 1e-9 * std::max(1.0, b.abs().max().item<double>()));
}

// The same answers for the same items, in the same rows.
void expect_close(const Prediction& a, const Prediction& b, std::size_t named) {
  EXPECT_EQ(a.columns, b.columns);
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t i = 0; i < a.rows.size(); ++i)
    for (std::size_t column = 0; column < named; ++column) EXPECT_EQ(a.rows[i][column], b.rows[i][column]);
  expect_close(a.numbers, b.numbers);
}

void expect_close(const Metrics& a, const Metrics& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i].second, b[i].second, 1e-8) << a[i].first;
}

TEST(Reordering, ValuesAreFoundInTheRowsOfTheData) {
  const ValueDataset dataset = shuffled_values();
  const auto missing = random_mask(dataset.values[1].size(0), 20, RandomStream(4, "mask"));
  const auto run = [&](const Placement& placement) {
    const Imputation task(dataset, missing, RandomStream(0, "task"), {.order = 1}, placement);
    Model model = trained(task, "simplex");
    return std::tuple(task.predict(model), evaluate(task, model, Phase::test), task.parts());
  };
  const auto [expected, metrics, parts] = run(given);
  const auto [found, other_metrics, other_parts] = run(other);
  expect_close(found, expected, 2);
  expect_close(other_metrics, metrics);
  EXPECT_EQ(other_parts, parts);
}

TEST(Reordering, ClassesOfSimplicesAreFoundInTheRowsOfTheData) {
  ValueDataset dataset = shuffled_values();
  dataset.class_names = {"a", "b", "c"};
  dataset.values[1] = dataset.values[1] - 1;
  Split split = thirds(dataset.complex.count(1));
  for (Items* part : {&split.train, &split.validation, &split.test}) std::erase(*part, 3);
  const auto run = [&](const Placement& placement) {
    const SimplexClassification task(dataset, split, {.order = 1}, placement);
    Model model = trained(task, "simplex");
    return std::pair(task.predict(model), evaluate(task, model, Phase::test));
  };
  const auto expected = run(given), found = run(other);
  expect_close(found.first, expected.first, 2);
  expect_close(found.second, expected.second);
}

TEST(Reordering, CandidatesAreFoundInTheRowsOfTheData) {
  ValueDataset values = shuffled_values();
  values.values[2] = torch::arange(values.complex.count(2), torch::kFloat64) % 2;
  CandidateDataset dataset{
      .name = "candidates",
      .complex = values.complex,
      .is_candidate = std::vector<bool>(static_cast<std::size_t>(values.complex.count(2)), true),
      .labels = values.values[2].to(torch::kInt64),
      .features = {values.features[0], values.features[1]}};
  const auto run = [&](const Placement& placement) {
    SimplexPredictionOptions options;
    options.order = 2;
    options.tuple_order = 1;
    options.split = CandidateSplit::random;
    options.features = CandidateFeatures::counts;
    const SimplexPrediction task(dataset, RandomStream(0, "split"), options, placement);
    Model model = trained(task, "tuple");
    return std::tuple(task.predict(model), evaluate(task, model, Phase::train),
                      task.message_coface_count(Phase::train));
  };
  const auto [expected, metrics, counts] = run(given);
  const auto [found, other_metrics, other_counts] = run(other);
  expect_close(found, expected, 3);
  expect_close(other_metrics, metrics);
  EXPECT_TRUE(other_counts.equal(counts));
}

TEST(Reordering, SignalsKeepTheirClassesUnderEveryOrientation) {
  const SignalDataset dataset = gradients_and_curls();
  for (const OrientationChoice orientation : {OrientationChoice::standard, OrientationChoice::random}) {
    const auto run = [&](const Placement& placement) {
      const Trajectory task(dataset, thirds(20), RandomStream(3, "task"), {.orientation = orientation},
                            placement);
      Model model = trained(task, "pooled");
      return task.predict(model);
    };
    expect_close(run(other), run(given), 1);
  }
}

TEST(Reordering, GraphsOfABatchAreComputedInAnyOrder) {
  const auto logits = [](const Placement& placement) {
    const GraphClassification task(cycles_and_paths(12), thirds(12), RandomStream(3, "task"), {}, placement);
    Model model = trained(task, "pooled");
    return task.predict(model);
  };
  expect_close(logits(other), logits(given), 1);
}

TEST(Reordering, IsAutomaticButForPublishedRuns) {
  TaskSettings settings = settings_of("trajectory", Protocol::strict, "flow");
  EXPECT_EQ(settings.placement(torch::kCPU).operators().order, VertexOrder::automatic);
  settings.data.reorder = VertexOrder::given;
  EXPECT_EQ(settings.placement(torch::kCPU).operators().order, VertexOrder::given);
  settings = settings_of("trajectory", Protocol::published, "flow");
  EXPECT_EQ(settings.placement(torch::kCPU).operators().order, VertexOrder::given);
  for (const VertexOrder order : {VertexOrder::bisection, VertexOrder::cuthill_mckee}) {
    settings.data.reorder = order;
    expect_error(Fault::argument, {"data.reorder", "published"}, [&] { make_task(settings, 0); });
  }
}

}  // namespace
}  // namespace gsan
