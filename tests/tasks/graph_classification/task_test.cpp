#include "gsan/tasks/graph_classification/task.h"

#include "gsan/models/backbones/layers.h"

#include "support/expect_error.h"
#include "tasks/task_probes.h"
#include "tasks/task_samples.h"

namespace gsan {
namespace {

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
  EXPECT_EQ(trained_accuracy(task, small("gsccn", "pooled", {.length = 2}), 40, 0.01), 100);
}

TEST(GraphClassification, ThePredictionForAComplexDoesNotDependOnItsBatch) {
  const ComplexDataset dataset = cycles_and_paths();
  const GraphClassification task(dataset, thirds(24), RandomStream(0, "t"));
  Model model(small("gsan", "pooled"), task.shape(), RandomStream(0, "weights"));
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

TEST(GraphClassification, EveryBackboneWorks) {
  const GraphClassification task(cycles_and_paths(), thirds(24), RandomStream(0, "task"), {.batch_size = 5});
  expect_models_work(task, one_of_each("pooled", 1));
  expect_models_work(task, {small("gcn", "pooled"), small("gin", "pooled")});
  EXPECT_EQ(Model(small("gin", "pooled"), task.shape())->backbone().orders(), std::vector<int>{0});
}

TEST(GraphClassification, OrdersOfDifferentWidthsGetAnInputMap) {
  ComplexDataset dataset = cycles_and_paths();
  dataset.widths = {1, 3};
  for (Cochains& features : dataset.features) features[1] = torch::ones({features[1].size(0), 3});
  const GraphClassification task(dataset, thirds(24), RandomStream(0, "task"), {.batch_size = 5});
  expect_models_work(task, one_of_each("pooled", 1));
  auto options = small("gsan", "pooled").backbone.as<LayersOptions>();
  EXPECT_EQ(network_options(options, task.shape(), false).embedding_channels, 8);
  options.embedding_channels = 5;  // the user's stays
  EXPECT_EQ(network_options(options, task.shape(), false).embedding_channels, 5);
}

TEST(GraphClassification, CountsTellLargeComplexesFromSmallOnes) {
  ComplexDataset dataset = cycles_and_paths(48);
  for (std::int64_t i = 0; i < 48; ++i) dataset.labels[i] = dataset.complexes[i].count(0) > 6;
  const GraphClassification task(dataset, thirds(48), RandomStream(0, "task"));
  EXPECT_LE(rule(task, "majority class"), 60);
  EXPECT_EQ(rule(task, "logistic regression on label counts and sizes"), 100);
  EXPECT_GE(rule(task, "random forest on label counts and sizes"), 75);
}

TEST(GraphClassification, ItemsWithoutALabelAreOnlyPredicted) {
  ComplexDataset dataset = cycles_and_paths(6);
  dataset.labels.fill_(unknown_label);
  const GraphClassification task(dataset, {{}, {}, {0, 1, 2, 3, 4, 5}}, RandomStream(0, "task"));
  Model model(small("gsan", "pooled"), task.shape(), RandomStream(0, "weights"));
  EXPECT_EQ(metric(evaluate(task, model, Phase::test), "loss"), 0);  // nothing counts
  EXPECT_TRUE(task.rules(Phase::test).empty());
  expect_error(Fault::argument, {"graph-classification", "train on"},
               [&] { task.batch_count(Phase::train, 0); });
}

}  // namespace
}  // namespace gsan
