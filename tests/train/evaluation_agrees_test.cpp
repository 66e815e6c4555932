// The same weights, the same items: evaluation must not see another model than training does.
//
// The loss of evaluation is compared with that of training mode, computed again after each epoch: the loss
// that the trainer reports is a mean over weights that changed from step to step.

#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "gsan/tasks/graph_classification/task.h"
#include "gsan/tasks/simplex_classification/task.h"
#include "gsan/topology/delaunay.h"
#include "gsan/topology/hex_grid.h"
#include "gsan/train/experiment.h"
#include "gsan/train/task_training.h"

#include "tasks/task_samples.h"

namespace gsan {
namespace {

constexpr int epochs = 8, settled = 3;  // from the third epoch on

// Mean over the training items, in training mode but without dropout. Leaves the model as it was.
double loss_in_training_mode(const Task& task, Model& model) {
  const torch::NoGradGuard no_grad;
  std::vector<Tensor> before;
  for (const Tensor& buffer : model->buffers()) before.push_back(buffer.clone());
  model->train();
  double sum = 0, items = 0;
  for (std::int64_t step = 0; step < task.batch_count(Phase::train, 0); ++step) {
    const Batch batch = task.batch(Phase::train, 0, step);
    ForwardContext context;
    context.signal_keys = batch.signal_keys;
    const auto count = static_cast<double>(batch.targets.numel());
    sum += count * task.loss(model->forward(batch.operators, batch.signals, context, batch.tuples), batch)
                       .item<double>();
    items += count;
  }
  const auto buffers = model->buffers();
  for (std::size_t i = 0; i < before.size(); ++i) buffers[i].detach().copy_(before[i]);
  return sum / items;
}

double loss_in_evaluation(const Task& task, Model& model) {
  for (const auto& [name, value] : evaluate(task, model, Phase::train))
    if (name == "loss") return value;
  ADD_FAILURE() << "no loss was reported";
  return 0;
}

class Comparison final : public TrainObserver {
 public:
  explicit Comparison(Experiment& experiment) : experiment_(experiment) {}
  void on_epoch(const EpochReport& report) override {
    if (report.epoch + 1 < settled) return;
    const double training = loss_in_training_mode(*experiment_.task, experiment_.model),
                 evaluation = loss_in_evaluation(*experiment_.task, experiment_.model);
    ratios.push_back(evaluation / training);
  }
  std::vector<double> ratios;

 private:
  Experiment& experiment_;
};

// `make` gives the same experiment twice: with running averages, as under the published protocol, evaluation
// sees another model.
void expect_agreement(const std::function<Experiment()>& make) {
  Experiment strict = make();
  Comparison comparison(strict);
  train_experiment(strict, std::nullopt, {.observer = &comparison});
  EXPECT_EQ(comparison.ratios.size(), static_cast<std::size_t>(epochs - settled + 1));
  for (const double ratio : comparison.ratios) EXPECT_LE(ratio, 2);

  Experiment lagging = make();
  Comparison control(lagging);
  TaskTraining training(*lagging.task, lagging.model, {.measure_batch_norms = false});
  fit_inputs(*lagging.task, lagging.model);
  Trainer(training, lagging.settings.train, lagging.settings.seed, {.observer = &control}).run();
  EXPECT_GT(*std::ranges::max_element(control.ratios), 2);
}

RunSettings settings_of(const char* task, std::vector<std::string> overrides) {
  overrides.push_back(concat("train.epochs=", epochs));
  return recipe_settings(task, Protocol::strict, overrides);
}

Experiment experiment_of(RunSettings settings, std::shared_ptr<const Task> task) {
  Model model(settings.model, task->shape(), RandomStream(1, "weights"));
  return {std::move(settings), torch::kCPU, std::move(task), {}, model};
}

Split most_for_training(std::int64_t items) {
  Split split;
  for (std::int64_t i = 0; i < items; ++i)
    (i % 6 == 1 ? split.validation : i % 6 == 4 ? split.test : split.train).push_back(i);
  return split;
}

TEST(EvaluationAgrees, OnWalksByTheRecipe) {
  expect_agreement([] { return make_experiment(settings_of("trajectory", {"data.signals=150"})); });
}

TEST(EvaluationAgrees, OnTheFlowByItsRecipe) {
  if (!has_delaunay()) GTEST_SKIP() << "the flow needs Qhull, which this build is without";
  expect_agreement([] {
    return make_experiment(
        settings_of("trajectory", {"data.name=flow", "data.points=150", "data.signals=280"}));
  });
}

// Cycles and paths of 4 … 9 vertices.
TEST(EvaluationAgrees, OnGraphsWithNormalisedPools) {
  GraphClassificationOptions options;
  options.batch_size = 8;
  for (const char* model : {"gsan", "gin"}) {
    expect_agreement([&] {
      return experiment_of(settings_of("graph-classification", {concat("model.name=", model), "split.folds=0",
                                                                "model.readout.batch_norm=true"}),
                           std::make_shared<GraphClassification>(cycles_and_paths(72), most_for_training(72),
                                                                 RandomStream(1, "batches"), options));
    });
  }
}

// Which edges of a grid are near its hole, from noisy features.
TEST(EvaluationAgrees, OnSimplicesWithANormalisedHead) {
  const Disc hole{4, 4, 1.5};
  const EmbeddedComplex grid = hex_grid(9, 9, std::span(&hole, 1));
  const Index edges = grid.complex.count(1);
  ValueDataset dataset{.name = "shores", .complex = grid.complex, .values = {}};
  const Tensor classes = torch::zeros({edges}, torch::kFloat64);
  for (Index e = 0; e < edges; ++e) {
    const auto ends = grid.complex.vertices(1, e);
    const auto at = 2 * static_cast<std::size_t>(ends[0]);
    classes[e] = std::hypot(grid.points[at] - hole.x, grid.points[at + 1] - hole.y) < 3 ? 1 : 0;
  }
  dataset.values = {Tensor(), classes, Tensor()};
  dataset.class_names = {"sea", "shore"};
  dataset.features = {Tensor(),
                      3 * classes.unsqueeze(-1) + 0.3 * random_signal(edges, 1, "features", torch::kFloat64),
                      Tensor()};
  expect_agreement([&] {
    return experiment_of(
        settings_of("simplex-classification",
                    {"data.path=/made", "simplex-classification.order=1", "model.readout.hidden=[16]",
                     "train.optimizer.learning_rate=0.1", "model.readout.batch_norm=true"}),
        std::make_shared<SimplexClassification>(dataset, most_for_training(edges),
                                                SimplexClassificationOptions{.order = 1}));
  });
}

}  // namespace
}  // namespace gsan
