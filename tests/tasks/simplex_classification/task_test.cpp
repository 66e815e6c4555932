#include "gsan/tasks/simplex_classification/task.h"

#include "support/expect_error.h"
#include "tasks/task_probes.h"
#include "tasks/task_samples.h"

namespace gsan {
namespace {

// The halves of the annulus: edges of class 0 and 1, some unknown.
ValueDataset two_halves(bool with_features) {
  ValueDataset dataset{.name = "two halves", .complex = example_complex("annulus").complex, .values = {}};
  const Index edges = dataset.complex.count(1);
  Tensor classes = torch::zeros({edges}, torch::kFloat64);
  for (Index i = edges / 2; i < edges; ++i) classes[i] = 1;
  classes[2] = NAN;
  dataset.values = {Tensor(), classes, Tensor()};
  dataset.class_names = {"left", "right"};
  if (with_features)
    dataset.features = {Tensor(), torch::arange(edges, torch::kFloat64).unsqueeze(-1) / edges - 0.5};
  return dataset;
}

Split known_thirds(const ValueDataset& dataset) {
  Split split = thirds(dataset.complex.count(1));
  for (Items* part : {&split.train, &split.validation, &split.test}) std::erase(*part, 2);
  return split;
}

TEST(SimplexClassification, HeldOutClassesNeverReachAnInput) {
  const ValueDataset dataset = two_halves(true);
  const Split split = known_thirds(dataset);
  ValueDataset changed = dataset;
  changed.values[1] = dataset.values[1].clone();
  for (const std::int64_t i : split.test) changed.values[1][i] = 1 - changed.values[1][i];
  const SimplexClassification a(dataset, split, {.order = 1}), b(changed, split, {.order = 1});
  for (const Phase phase : {Phase::train, Phase::validation, Phase::test})
    expect_same(inputs_of(a, phase), inputs_of(b, phase));
  EXPECT_FALSE(a.batch(Phase::test, 0, 0).targets.equal(b.batch(Phase::test, 0, 0).targets));
}

TEST(SimplexClassification, EveryBackboneWorksWithAndWithoutFeatures) {
  for (const bool with_features : {false, true}) {
    const ValueDataset dataset = two_halves(with_features);
    const SimplexClassification task(dataset, known_thirds(dataset), {.order = 1});
    expect_models_work(task, one_of_each("simplex", 1));
    EXPECT_EQ(task.batch(Phase::train, 0, 0).signals[0].defined(), !with_features);  // a constant, or nothing
  }
}

TEST(SimplexClassification, LearnsFromFeaturesAndBeatsTheMajority) {
  const ValueDataset dataset = two_halves(true);
  const SimplexClassification task(dataset, known_thirds(dataset), {.order = 1});
  EXPECT_GE(trained_accuracy(task, small("scnn", "simplex", {.length = 1, .signal_order = 1}), 200, 0.02),
            90);
  EXPECT_LE(rule(task, "majority class"), 60);
  EXPECT_GE(rule(task, "majority of the neighbours"), 60);
  EXPECT_GE(rule(task, "logistic regression on own features"), 90);
}

TEST(SimplexClassification, RefusesWhatIsNoClass) {
  ValueDataset dataset = two_halves(false);
  expect_error(Fault::argument, {"no classes of order 0"}, [&] { simplex_labels(dataset, 0); });
  dataset.values[1][0] = 2;
  expect_error(Fault::argument, {"numbers 0 ... 1"}, [&] { simplex_labels(dataset, 1); });
  EXPECT_EQ(simplex_labels(two_halves(false), 1)[2].item<std::int64_t>(), unknown_label);
}

}  // namespace
}  // namespace gsan
