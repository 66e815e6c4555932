#include "gsan/train/task_training.h"

#include <atomic>

#include <gtest/gtest.h>

#include "gsan/models/backbones/layers.h"
#include "gsan/nn/weights.h"
#include "gsan/tasks/graph_classification/task.h"
#include "gsan/tasks/imputation/task.h"
#include "gsan/train/trainer.h"

#include "support/temporary_folder.h"
#include "tasks/task_samples.h"

namespace gsan {
namespace {

GraphClassification sample_task() {
  Split split;
  for (std::int64_t i = 0; i < 24; ++i) (i % 3 == 1 ? split.validation : split.train).push_back(i);
  GraphClassificationOptions options;
  options.batch_size = 5;
  return {cycles_and_paths(24), split, RandomStream(1, "batches"), options};
}

Model sample_model(const Task& task, std::uint64_t seed) {
  ModelSpec spec = model_spec("gsan", "pooled");
  auto& options = spec.backbone.as<LayersOptions>();
  options.layer.dropout = 0.1;
  options.layer.attention_dropout = 0.3;
  options.widths = {4};
  return Model(spec, task.shape(), RandomStream(seed, "model"));
}

TEST(TaskTraining, ATaskIsResumedBitForBitAndItsBestModelIsLoaded) {
  const TemporaryFolder folder;
  const GraphClassification task = sample_task();
  TrainOptions options;
  options.epochs = 3;
  options.optimizer.learning_rate = 0.01;
  const auto session = [&](RunFolder* run, bool resume, const std::atomic<bool>* stop,
                           TrainObserver* observer) {
    Model model = sample_model(task, 1);
    TaskTraining training(task, model);
    Trainer trainer(training, options, 1, {run, observer, stop});
    const TrainResult result = resume ? trainer.resume() : trainer.run();
    return std::pair(model, result.end);
  };
  const Model whole = session(nullptr, false, nullptr, nullptr).first;

  class StopAfter : public TrainObserver {
   public:
    void on_step(const StepReport& report) override { stop = report.epoch == 1 && report.step == 1; }
    std::atomic<bool> stop = false;
  } stopper;
  RunFolder run = RunFolder::create(folder / "run", make_manifest(1), "");
  EXPECT_EQ(session(&run, false, &stopper.stop, &stopper).second, TrainEnd::interrupted);
  const auto [resumed, end] = session(&run, true, nullptr, nullptr);
  EXPECT_EQ(end, TrainEnd::finished);
  const NamedTensors expected = weights_of(*whole), found = weights_of(*resumed);
  const NamedTensors first = weights_of(*sample_model(task, 1));
  ASSERT_EQ(expected.size(), found.size());
  bool has_moved = false;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_TRUE(expected[i].second.equal(found[i].second)) << expected[i].first;
    has_moved |= !expected[i].second.equal(first[i].second);
  }
  EXPECT_TRUE(has_moved);

  Model best = load_model(run.best_checkpoint());
  const auto stored = read_checkpoint(run.best_checkpoint()).checkpoint.metadata;
  for (const auto& [name, value] : evaluate(task, best, Phase::validation)) {
    if (name != task.choosing_metric()) continue;
    EXPECT_EQ(options::to_text(value), stored.at("best.value"));
  }
}

// --- passes that validation and the next step share

PublishedImputation published_imputation(LossChoice loss = LossChoice::all) {
  return {coface_counts_dataset(), {0, 5}, RandomStream(2, "steps"), {.order = 1, .loss = loss}};
}

Model imputation_model(const Task& task, double attention_dropout) {
  ModelSpec spec = model_spec("san", "none", {.signal_order = 1});
  auto& options = spec.backbone.as<LayersOptions>();
  options.layer.attention_dropout = attention_dropout;
  options.widths = {4, 1};
  options.activate_last = false;
  return Model(spec, task.shape(), RandomStream(3, "model"));
}

// Metrics of every epoch, and the weights at the end.
struct Course : TrainObserver {
  void on_epoch(const EpochReport& report) override { epochs.push_back(report.metrics); }
  std::vector<Metrics> epochs;
  NamedTensors weights;
  std::int64_t shared = 0;
};

Course course_of(const Task& task, Model model, bool share, int validate_every = 1) {
  Course course;
  TaskTraining training(task, model, {.share_passes = share});
  TrainOptions options;
  options.epochs = 6;
  options.validate_every = validate_every;
  options.optimizer.learning_rate = 0.01;
  Trainer trainer(training, options, 1, {nullptr, &course, nullptr});
  trainer.run();
  course.weights = weights_of(*model);
  course.shared = training.shared_passes();
  return course;
}

// That so many of six steps use the pass of validation, and no bit is another one than without that.
void expect_shared(const Task& task, double attention_dropout, int validate_every, std::int64_t steps) {
  const auto course = [&](bool share) {
    return course_of(task, imputation_model(task, attention_dropout), share, validate_every);
  };
  const Course expected = course(false), found = course(true);
  EXPECT_EQ(expected.shared, 0);
  EXPECT_EQ(found.shared, steps);
  EXPECT_EQ(expected.epochs, found.epochs);
  EXPECT_NE(expected.epochs.front(), expected.epochs.back());
  ASSERT_EQ(expected.weights.size(), found.weights.size());
  for (std::size_t i = 0; i < expected.weights.size(); ++i)
    EXPECT_TRUE(expected.weights[i].second.equal(found.weights[i].second)) << expected.weights[i].first;
}

TEST(TaskTraining, AStepThatSeesWhatValidationSawUsesItsPassAndNoBitChanges) {
  expect_shared(published_imputation(), 0, 1, 5);  // all steps but the first
}

TEST(TaskTraining, TheLossOfASharedPassIsOnTheRowsOfTheStep) {
  expect_shared(published_imputation(LossChoice::known), 0, 1, 5);
}

TEST(TaskTraining, APassIsSharedOnlyWithTheStepRightAfterIt) {
  expect_shared(published_imputation(), 0, 3, 1);
}

TEST(TaskTraining, NoPassIsSharedWhereTrainingDropsWeights) {
  expect_shared(published_imputation(), 0.4, 1, 0);
}

TEST(TaskTraining, NoPassIsSharedBetweenDifferentItems) {
  const GraphClassification task = sample_task();
  EXPECT_EQ(course_of(task, sample_model(task, 1), true).shared, 0);
  const Imputation strict(coface_counts_dataset(), {0, 5}, RandomStream(2, "steps"),
                          {.order = 1, .validation = 0.3, .steps_per_epoch = 1});
  EXPECT_EQ(course_of(strict, imputation_model(strict, 0), true).shared, 0);
}

TEST(TaskTraining, WeightsThatChangeAfterValidationAreSeenByTheNextStep) {
  const PublishedImputation task = published_imputation();
  Model model = imputation_model(task, 0);
  TaskTraining training(task, model);
  const RandomStream stream(1, "dropout");
  const double before = training.step_loss(0, 0, stream).item<double>();
  {
    const torch::NoGradGuard no_grad;
    training.validate();
    for (const Tensor& weight : model->parameters()) weight.mul_(2);
  }
  const double after = training.step_loss(1, 0, stream).item<double>();
  EXPECT_EQ(training.shared_passes(), 0);
  EXPECT_NE(before, after);
}

TEST(TaskTraining, SmallTrainingSetsArePassedOverSeveralTimesInAnEpoch) {
  const GraphClassification task = sample_task();  // 16 items in steps of 5: 4 steps
  EXPECT_EQ(passes_of_epoch(task, 0), 1);
  EXPECT_EQ(passes_of_epoch(task, 4), 1);
  EXPECT_EQ(passes_of_epoch(task, 5), 2);
  Model once = sample_model(task, 1), thrice = sample_model(task, 1);
  TaskTraining single(task, once), several(task, thrice, {.passes = 3});
  EXPECT_EQ(single.steps_per_epoch(0), 4);
  EXPECT_EQ(several.steps_per_epoch(0), 12);
  // Step 5 of epoch 1 is step 1 of the fifth pass, whose order is that of epoch 4 of the task.
  const RandomStream dropout(1, "dropout");
  EXPECT_TRUE(several.step_loss(1, 5, dropout).equal(single.step_loss(4, 1, dropout)));
  EXPECT_FALSE(several.step_loss(1, 5, dropout).equal(single.step_loss(1, 1, dropout)));
}

}  // namespace
}  // namespace gsan
