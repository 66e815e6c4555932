#include "gsan/train/task_training.h"

#include <atomic>

#include <gtest/gtest.h>

#include "gsan/models/presets.h"
#include "gsan/nn/weights.h"
#include "gsan/tasks/graph_classification.h"
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
  ModelOptions options;
  options.network.layer = presets::gsan({.order = 1});
  options.network.layer.dropout = 0.1;
  options.network.layer.attention_dropout = 0.3;
  options.network.widths = {4};
  return Model(task.complete(options), RandomStream(seed, "model"));
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

}  // namespace
}  // namespace gsan
