#include "gsan/tasks/graph_regression/task.h"

#include "gsan/data/label_numbers.h"

#include "support/expect_error.h"
#include "tasks/task_probes.h"
#include "tasks/task_samples.h"

namespace gsan {
namespace {

// Cycles and paths whose target is 100 more than their number of edges; the last one's is unknown.
ComplexDataset numbered(int count = 24) {
  ComplexDataset dataset = cycles_and_paths(count);
  dataset.class_names.clear();
  for (int i = 0; i < count; ++i) {
    dataset.class_names.push_back(concat(100 + dataset.complexes[static_cast<std::size_t>(i)].count(1)));
    dataset.labels[i] = i + 1 < count ? i : unknown_label;
  }
  dataset.classes = count;
  return dataset;
}

Split known_thirds(int count) {
  Split split = thirds(count);
  for (Items* part : {&split.train, &split.validation, &split.test}) std::erase(*part, count - 1);
  return split;
}

TEST(GraphRegression, HeldOutTargetsNeverReachAnInputOrTheUnits) {
  const ComplexDataset dataset = numbered();
  ComplexDataset changed = dataset;
  const Split split = known_thirds(24);
  for (const std::int64_t i : split.test) changed.class_names[static_cast<std::size_t>(i)] = "-7";
  for (const std::int64_t i : split.validation) changed.class_names[static_cast<std::size_t>(i)] = "1e6";
  const GraphRegression a(dataset, split, RandomStream(0, "task"), {.batch_size = 5}),
      b(changed, split, RandomStream(0, "task"), {.batch_size = 5});
  for (const Phase phase : {Phase::train, Phase::validation, Phase::test})
    expect_same(inputs_of(a, phase), inputs_of(b, phase));
  EXPECT_EQ(a.target_scale()->shift, b.target_scale()->shift);
  EXPECT_EQ(a.target_scale()->scale, b.target_scale()->scale);
  EXPECT_FALSE(a.batch(Phase::test, 0, 0).targets.equal(b.batch(Phase::test, 0, 0).targets));
}

TEST(GraphRegression, EveryBackboneWorksWithBothLosses) {
  for (const RegressionLoss loss : {RegressionLoss::mse, RegressionLoss::l1}) {
    const GraphRegression task(numbered(), known_thirds(24), RandomStream(0, "task"),
                               {.batch_size = 5, .loss = loss});
    expect_models_work(task, one_of_each("pooled", 1));
  }
}

TEST(GraphRegression, LearnsToCountInAnyUnits) {
  ComplexDataset dataset = numbered(48);
  const auto error = [&] {
    const GraphRegression task(dataset, known_thirds(48), RandomStream(0, "task"), {.batch_size = 8});
    return trained_accuracy(task, small("gsccn", "pooled", {.length = 2}), 40, 0.01);  // mae
  };
  EXPECT_LE(error(), 0.5);
  for (std::string& text : dataset.class_names) text = concat(1e6 * std::stod(text));
  EXPECT_LE(error(), 0.5e6);
}

TEST(GraphRegression, RulesAreMeanMedianAndALineOnSizes) {
  const GraphRegression task(numbered(48), known_thirds(48), RandomStream(0, "task"));
  EXPECT_LE(rule(task, "mean of the targets", "r2"), 0.01);
  EXPECT_GE(rule(task, "median of the targets", "mae"), 1);
  EXPECT_GE(rule(task, "ridge regression on label counts and sizes", "r2"), 0.98);
}

TEST(GraphRegression, MetricsAreInTheUnitsOfTheDataAndTheLossInThoseOfTheModel) {
  const ComplexDataset dataset = numbered();
  const GraphRegression task(dataset, known_thirds(24), RandomStream(0, "task"), {.batch_size = 5});
  Model model(small("gsan", "pooled"), task.shape(), RandomStream(0, "weights"));
  const Prediction prediction = task.predict(model);
  EXPECT_EQ(prediction.columns, (std::vector<std::string>{"name", "predicted", "part", "truth"}));
  double absolute = 0, squares = 0, judged = 0;
  for (std::size_t i = 0; i < prediction.rows.size(); ++i) {
    const auto& row = prediction.rows[i];
    EXPECT_EQ(row[3], i + 1 < 24 ? dataset.class_names[i] : "");
    if (row[2] != "test") continue;
    const double distance = std::stod(row[1]) - std::stod(row[3]);
    absolute += std::abs(distance);
    squares += distance * distance;
    ++judged;
  }
  EXPECT_EQ(prediction.rows.back()[2], "");
  const Metrics metrics = evaluate(task, model, Phase::test);
  EXPECT_NEAR(metric(metrics, "mae"), absolute / judged, 1e-4);
  EXPECT_NEAR(metric(metrics, "rmse"), std::sqrt(squares / judged), 1e-4);
  const double scale = task.target_scale()->scale;
  EXPECT_NEAR(metric(metrics, "loss"), squares / judged / (scale * scale), 1e-4);
}

// On other data a model answers in the units that it was trained with.
TEST(GraphRegression, ATrainedModelKeepsItsUnits) {
  const ComplexDataset dataset = numbered();
  const GraphRegression task(dataset, known_thirds(24), RandomStream(0, "task"));
  Model model(small("gsan", "pooled"), task.shape(), RandomStream(0, "weights"));
  ComplexDataset unknown = dataset;
  unknown.labels.fill_(unknown_label);
  const GraphRegression other(unknown, {}, RandomStream(0, "task"), {}, {}, task.target_scale());
  EXPECT_TRUE(other.predict(model).numbers.equal(task.predict(model).numbers));
}

TEST(GraphRegression, ALabelThatIsNoNumberIsRefused) {
  ComplexDataset dataset = numbered();
  dataset.item_names.assign(24, "some");
  dataset.class_names[2] = "ring";
  expect_error(Fault::argument, {"cycles and paths", "'ring' of some", "number"},
               [&] { label_numbers(dataset); });
  dataset.class_names[2] = "inf";
  expect_error(Fault::argument, {"'inf'"}, [&] { label_numbers(dataset); });
}

TEST(Regression, AQuarterOfTheKnownTargetsIsAStratum) {
  const Tensor targets = torch::tensor({3., double{NAN}, 1., 2., 8., 5., 7., 6., 4.}, torch::kFloat64);
  EXPECT_TRUE(quarters_of(targets).equal(torch::tensor({1, -1, 0, 0, 3, 2, 3, 2, 1}, torch::kInt64)));
  EXPECT_EQ(quarters_of(torch::zeros({0}, torch::kFloat64)).numel(), 0);
}

}  // namespace
}  // namespace gsan
