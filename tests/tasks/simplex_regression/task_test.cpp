#include "gsan/tasks/simplex_regression/task.h"

#include <fstream>

#include "gsan/tasks/task_kinds.h"

#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "tasks/task_probes.h"
#include "tasks/task_samples.h"
#include "tasks/task_settings_sample.h"

namespace gsan {
namespace {

// A ramp on the edges of the annulus, one of its targets unknown; the feature is the place on it.
ValueDataset ramp(bool with_features) {
  ValueDataset dataset{.name = "ramp", .complex = example_complex("annulus").complex, .values = {}};
  const Index edges = dataset.complex.count(1);
  Tensor targets = torch::arange(edges, torch::kFloat64) * 10 + 500;
  if (with_features)
    dataset.features = {Tensor(), torch::arange(edges, torch::kFloat64).unsqueeze(-1) / edges - 0.5};
  targets[2] = NAN;
  dataset.values = {Tensor(), targets, Tensor()};
  return dataset;
}

Split known_thirds(const ValueDataset& dataset) {
  Split split = thirds(dataset.complex.count(1));
  for (Items* part : {&split.train, &split.validation, &split.test}) std::erase(*part, 2);
  return split;
}

TEST(SimplexRegression, TargetsNeverReachAnInputAndHeldOutOnesNotTheUnits) {
  const ValueDataset dataset = ramp(true);
  const Split split = known_thirds(dataset);
  ValueDataset changed = dataset, other = dataset;
  changed.values[1] = dataset.values[1].clone();
  for (const std::int64_t i : split.test) changed.values[1][i] += 1000;
  const SimplexRegression a(dataset, split, {.order = 1}), b(changed, split, {.order = 1});
  for (const Phase phase : {Phase::train, Phase::validation, Phase::test})
    expect_same(inputs_of(a, phase), inputs_of(b, phase));
  EXPECT_EQ(a.target_scale()->shift, b.target_scale()->shift);
  EXPECT_EQ(a.target_scale()->scale, b.target_scale()->scale);
  EXPECT_FALSE(a.batch(Phase::test, 0, 0).targets.equal(b.batch(Phase::test, 0, 0).targets));
  // Unlike imputation: not even those to train on are an input.
  other.values[1] = -dataset.values[1];
  const SimplexRegression c(other, split, {.order = 1});
  for (std::size_t k = 0; k < 3; ++k) {
    const Tensor x = a.batch(Phase::test, 0, 0).signals[k], y = c.batch(Phase::test, 0, 0).signals[k];
    EXPECT_TRUE(x.defined() == y.defined() && (!x.defined() || x.equal(y)));
  }
}

TEST(SimplexRegression, EveryBackboneWorksWithAndWithoutFeatures) {
  for (const bool with_features : {false, true}) {
    const ValueDataset dataset = ramp(with_features);
    const SimplexRegression task(dataset, known_thirds(dataset), {.order = 1, .loss = RegressionLoss::l1});
    expect_models_work(task, one_of_each("simplex", 1));
    EXPECT_EQ(task.item_order(), 1);
  }
}

TEST(SimplexRegression, LearnsFromFeaturesAndBeatsTheMean) {
  const ValueDataset dataset = ramp(true);
  const SimplexRegression task(dataset, known_thirds(dataset), {.order = 1});
  const double mean = rule(task, "mean of the targets", "mae");
  EXPECT_LE(trained_accuracy(task, small("scnn", "simplex", {.length = 1, .signal_order = 1}), 100, 0.02),
            mean / 3);
  EXPECT_LE(rule(task, "mean of the neighbours", "mae"), mean);
  EXPECT_GE(rule(task, "ridge regression on own features", "r2"), 0.95);
  EXPECT_LE(rule(task, "median of the targets", "mae"), 1.2 * mean);
}

TEST(SimplexRegression, ARowHasItsVerticesTheNumberItsPartAndItsTarget) {
  const ValueDataset dataset = ramp(true);
  const Split split = known_thirds(dataset);
  const SimplexRegression task(dataset, split, {.order = 1});
  Model model(small("gsan", "simplex"), task.shape(), RandomStream(0, "weights"));
  const Prediction prediction = task.predict(model);
  EXPECT_EQ(prediction.columns, (std::vector<std::string>{"v0", "v1", "predicted", "part", "truth"}));
  ASSERT_EQ(prediction.rows.size(), static_cast<std::size_t>(dataset.complex.count(1)));
  EXPECT_EQ(prediction.rows[2][3] + prediction.rows[2][4], "");
  EXPECT_EQ(prediction.rows[0][3], "test");
  EXPECT_EQ(prediction.rows[1][3], "validation");
  EXPECT_EQ(prediction.rows[5][3], "train");
  EXPECT_EQ(prediction.rows[5][4], "550");
}

TEST(SimplexRegression, AFolderMayLackTargetsWhereAModelIsTrained) {
  const TemporaryFolder folder;
  const auto write = [&](const char* file, const char* text) { std::ofstream(folder.path() / file) << text; };
  write("complex.txt", "a b c\n");
  write("features_0.csv", "v0,x\na,1\nb,2\nc,3\n");
  TaskSettings settings = settings_of("simplex-regression", Protocol::strict, "own", folder.path().string());
  expect_error(Fault::argument, {"simplex-regression", "no targets of order 0", "targets_0.csv"},
               [&] { make_task(settings, 0); });
  settings.trained = TrainedOn{};
  expect_error(Fault::argument, {"targets.json", "missing"}, [&] { make_task(settings, 0); });
  settings.trained->targets = TargetScale{10, 2};
  EXPECT_EQ(make_task(settings, 0).task->target_scale()->shift, 10);
  settings.trained.reset();
  write("targets_0.csv", "v0,value\na,4\nb,4\nc,\n");
  expect_error(Fault::argument, {"different targets", "all 2", "are 4"}, [&] { make_task(settings, 0); });
}

}  // namespace
}  // namespace gsan
