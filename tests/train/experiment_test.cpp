// A whole run on a small flow.

#include "gsan/train/experiment.h"

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"
#include "gsan/topology/delaunay.h"
#include "gsan/train/loaded_run.h"

#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

namespace fs = std::filesystem;

RunSettings small_run(const std::vector<std::string>& more = {}) {
  std::vector<std::string> overrides = {
      "data.name=flow",         "data.points=120", "model.hidden_channels=4",
      "model.n_layers=1",       "train.epochs=2",  "trajectory.batch_size=100",
      "model.harmonic_steps=3", "model.name=san",  "train.optimizer.learning_rate=0.01"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return parse_run_settings("task: trajectory", "test", overrides);
}

class ExperimentTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_delaunay()) GTEST_SKIP() << "the flow needs Qhull, which this build is without";
  }
  TemporaryFolder folder_;
};

std::string bytes(const fs::path& run, const char* file) { return read_file(run / file); }

// Sets the flag after so many steps.
class StopAfter : public TrainObserver {
 public:
  StopAfter(std::atomic<bool>& flag, int steps) : flag_(flag), steps_(steps) {}
  void on_step(const StepReport&) override {
    if (--steps_ == 0) flag_ = true;
  }
  void on_message(const std::string& message) override { messages.push_back(message); }
  std::vector<std::string> messages;

 private:
  std::atomic<bool>& flag_;
  int steps_;
};

TEST_F(ExperimentTest, TwoRunsOfOneSeedAreTheSameBitsAndAStoppedOneEndsThere) {
  const RunOutcome one = start_run(small_run(), folder_ / "one");
  const RunOutcome two = start_run(small_run(), folder_ / "two");
  std::atomic<bool> stop{false};
  StopAfter observer(stop, 12);
  const RunOutcome stopped = start_run(small_run(), folder_ / "three", {torch::kCPU, &observer, &stop});
  EXPECT_EQ(stopped.end, TrainEnd::interrupted);
  EXPECT_FALSE(stopped.record);
  EXPECT_FALSE(fs::exists(record_file(folder_ / "three")));
  const RunOutcome resumed = resume_run(folder_ / "three", {torch::kCPU, &observer, nullptr});
  EXPECT_EQ(observer.messages, std::vector<std::string>{});
  ASSERT_TRUE(one.record && two.record && resumed.record);
  for (const char* other : {"two", "three"})
    for (const char* file : {"checkpoints/last.safetensors", "checkpoints/best.safetensors", "metrics.jsonl",
                             "config.yaml", "splits/split.json"})
      EXPECT_TRUE(bytes(folder_ / other, file) == bytes(folder_ / "one", file)) << other << " " << file;
  EXPECT_EQ(one.record->test, resumed.record->test);
  EXPECT_EQ(one.record->epochs, 2);
  EXPECT_FALSE(one.record->rules.empty());
}

TEST_F(ExperimentTest, ALoadedRunGivesTheRecordedNumbers) {
  const RunOutcome outcome = start_run(small_run({"train.epochs=2"}), folder_ / "run");
  ASSERT_TRUE(outcome.record);
  LoadedRun loaded = load_run(folder_ / "run");
  EXPECT_EQ(evaluate(*loaded.experiment.task, loaded.experiment.model, Phase::test), outcome.record->test);
  EXPECT_EQ(evaluate(*loaded.experiment.task, loaded.experiment.model, Phase::validation),
            outcome.record->validation);
  EXPECT_EQ(loaded.epoch, outcome.record->best_epoch);
  EXPECT_EQ(to_yaml(loaded.experiment.settings), bytes(folder_ / "run", "config.yaml"));
  EXPECT_EQ(load_run(folder_ / "run", {.weights = RunWeights::last}).epoch, outcome.record->epochs - 1);

  // A finished run is only read.
  const std::string before = bytes(folder_ / "run", "manifest.json");
  const RunOutcome again = resume_run(folder_ / "run");
  ASSERT_TRUE(again.record);
  EXPECT_EQ(again.record->test, outcome.record->test);
  EXPECT_EQ(bytes(folder_ / "run", "manifest.json"), before);
  expect_error(Fault::argument, {"holds a run already", "--resume"},
               [&] { start_run(small_run(), folder_ / "run"); });
}

TEST_F(ExperimentTest, FoldersWithoutARunAndSettingsThatDoNotSuitLeaveNothing) {
  expect_error(Fault::argument, {"holds no run"}, [&] { resume_run(folder_ / "nothing"); });
  expect_error(Fault::argument, {"holds no run"}, [&] { load_run(folder_ / "nothing"); });
  expect_error(Fault::argument, {"orders"},
               [&] { start_run(small_run({"model.orders=[5]"}), folder_ / "bad"); });
  EXPECT_FALSE(fs::exists(folder_ / "bad"));
  EXPECT_FALSE(fs::exists(folder_ / "nothing"));
}

}  // namespace
}  // namespace gsan
