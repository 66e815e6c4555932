// A resumed run is, bit for bit, the run that was never interrupted.

#include <atomic>
#include <fstream>

#include <gtest/gtest.h>

#include "gsan/train/trainer.h"

#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "train/file_size_limit.h"
#include "train/sample_run.h"

namespace gsan {
namespace {

namespace fs = std::filesystem;

Outcome uninterrupted(const fs::path& path, const TrainOptions& options) {
  TinyProblem problem(sample_seed);
  RunFolder folder = new_folder(path);
  Trainer trainer(problem, options, sample_seed, {&folder, nullptr, nullptr});
  const TrainResult result = trainer.run();
  return outcome(problem, trainer, folder, result);
}

// A session in a process of its own would begin like this: everything is built anew.
Outcome resumed(const fs::path& path, const TrainOptions& options, TrainObserver* observer = nullptr) {
  TinyProblem problem(sample_seed);
  RunFolder folder = RunFolder::open(path);
  Trainer trainer(problem, options, sample_seed, {&folder, observer, nullptr});
  const TrainResult result = trainer.resume();
  return outcome(problem, trainer, folder, result);
}

// Trains from the start or from the last checkpoint until `steps` steps are done.
TrainResult interrupted(const fs::path& path, const TrainOptions& options, int steps, bool first) {
  TinyProblem problem(sample_seed);
  RunFolder folder = first ? new_folder(path) : RunFolder::open(path);
  std::atomic<bool> stop = steps == 0;
  int done = 0;
  problem.before_step = [&](std::int64_t, std::int64_t) { stop = ++done >= steps; };
  Trainer trainer(problem, options, sample_seed, {&folder, nullptr, &stop});
  return first ? trainer.run() : trainer.resume();
}

TEST(Resume, TheSampleRunUsesEveryPartOfTheState) {
  const TemporaryFolder folder;
  const Outcome whole = uninterrupted(folder / "run", sample_options());
  EXPECT_EQ(whole.end, TrainEnd::early_stopped);
  EXPECT_GE(whole.epochs, 5);
  EXPECT_NE(whole.weights, whole.best);
  const auto lines = read_metrics(folder / "run/metrics.jsonl");
  EXPECT_LT(lines.back().values[0].second, 0.15);  // the learning rate fell
  EXPECT_EQ(uninterrupted(folder / "again", sample_options()), whole);
}

TEST(Resume, InterruptedAtEveryStep) {
  const TemporaryFolder folder;
  const Outcome whole = uninterrupted(folder / "whole", sample_options());
  const int steps = whole.epochs * static_cast<int>(TinyProblem::items / TinyProblem::batch);
  for (int step = 0; step < steps; ++step) {
    const fs::path path = folder / std::to_string(step);
    EXPECT_EQ(interrupted(path, sample_options(), step, true).end, TrainEnd::interrupted);
    EXPECT_EQ(read_manifest(path / "manifest.json").status, "interrupted");
    EXPECT_TRUE(resumed(path, sample_options()) == whole) << "after step " << step;
    EXPECT_EQ(read_file(path / "metrics.csv"), read_file(folder / "whole/metrics.csv"));
  }
}

TEST(Resume, InterruptedAfterEveryStepOfOneRun) {
  const TemporaryFolder folder;
  for (const OptimizerKind kind : {OptimizerKind::adam, OptimizerKind::adamw}) {
    TrainOptions options = sample_options();
    options.optimizer.kind = kind;
    options.optimizer.weight_decay = 0.01;
    options.epochs = 4;
    options.schedule.kind = ScheduleKind::cosine;
    const std::string name(name_of(kind));
    const Outcome whole = uninterrupted(folder / (name + "_whole"), options);
    const fs::path path = folder / name;
    bool first = true;
    while (interrupted(path, options, 1, first).end == TrainEnd::interrupted) first = false;
    EXPECT_TRUE(resumed(path, options) == whole);
    EXPECT_GT(read_manifest(path / "manifest.json").sessions, 10);
  }
}

TEST(Resume, AFinishedRunIsLeftAsItIs) {
  const TemporaryFolder folder;
  const Outcome whole = uninterrupted(folder / "run", sample_options());
  EXPECT_TRUE(resumed(folder / "run", sample_options()) == whole);
  TrainOptions options = sample_options();
  options.patience = 0;
  options.epochs = 3;
  const Outcome short_run = uninterrupted(folder / "short", options);
  EXPECT_TRUE(resumed(folder / "short", options) == short_run);
}

TEST(Resume, MoreEpochsGoOnWhereTheRunEnded) {
  const TemporaryFolder folder;
  TrainOptions options = sample_options();
  options.patience = 0;
  options.epochs = 6;
  const Outcome whole = uninterrupted(folder / "whole", options);
  options.epochs = 3;
  uninterrupted(folder / "run", options);
  options.epochs = 6;
  EXPECT_TRUE(resumed(folder / "run", options) == whole);
}

TEST(Resume, MorePatienceGoesOnWhereTheRunStopped) {
  const TemporaryFolder folder;
  TrainOptions options = sample_options();
  options.patience = 0;
  const Outcome whole = uninterrupted(folder / "whole", options);
  EXPECT_EQ(uninterrupted(folder / "run", sample_options()).end, TrainEnd::early_stopped);
  EXPECT_TRUE(resumed(folder / "run", options) == whole);
}

class Messages : public TrainObserver {
 public:
  void on_message(const std::string& message) override { all += message; }
  std::string all;
};

TEST(Resume, ADamagedCheckpointFallsBackToThePreviousOneAndSaysSo) {
  const TemporaryFolder folder;
  TrainOptions options = sample_options();
  const Outcome whole = uninterrupted(folder / "whole", options);
  options.checkpoint_seconds = 0;
  const fs::path path = folder / "run", last = path / "checkpoints/last.safetensors";
  interrupted(path, options, 7, true);
  fs::resize_file(last, fs::file_size(last) - 3);
  Messages messages;
  EXPECT_TRUE(resumed(path, options, &messages) == whole);
  EXPECT_NE(messages.all.find("previous"), std::string::npos);
  EXPECT_NE(messages.all.find("last.safetensors"), std::string::npos);
}

TEST(Resume, WithoutAnyCheckpointTheRunStartsAgain) {
  const TemporaryFolder folder;
  const Outcome whole = uninterrupted(folder / "whole", sample_options());
  {
    RunFolder killed = new_folder(folder / "run");
    killed.begin_session(0);
    killed.add_epoch({0, {{"train.loss", 77}}});
  }
  Messages messages;
  EXPECT_TRUE(resumed(folder / "run", sample_options(), &messages) == whole);
  EXPECT_NE(messages.all.find("no checkpoint"), std::string::npos);
}

TEST(Resume, AnotherModelOtherOptionsAndAnotherSeedAreRefused) {
  const TemporaryFolder folder;
  interrupted(folder / "run", sample_options(), 4, true);
  TrainOptions options = sample_options();
  options.optimizer.momentum = 0.5;
  options.schedule.patience = 7;
  expect_error(Fault::argument,
               {"another run", "optimizer.momentum is 0.9 in the checkpoint, 0.5 now", "schedule.patience"},
               [&] { resumed(folder / "run", options); });
  RunFolder run = RunFolder::open(folder / "run");
  TinyProblem problem(sample_seed);
  expect_error(Fault::argument, {"seed is 5 in the checkpoint, 6 now"}, [&] {
    Trainer(problem, sample_options(), 6, {&run, nullptr, nullptr}).resume();
  });

  class WiderProblem : public TinyProblem {
   public:
    WiderProblem() : TinyProblem(sample_seed) {}
    torch::nn::Module& module() override { return *wide_; }
    OptionMap options() const override { return to_map(wide_->options()); }

   private:
    static MlpOptions wide_options() {
      MlpOptions wider = mlp_options();
      wider.hidden = {9};
      return wider;
    }
    Mlp wide_{wide_options(), RandomStream(1, "model")};
  } wider;
  expect_error(Fault::argument, {"hidden", "[8]", "[9]"}, [&] {
    Trainer(wider, sample_options(), sample_seed, {&run, nullptr, nullptr}).resume();
  });
  TrainOptions cosine = sample_options();
  cosine.schedule.kind = ScheduleKind::cosine;
  interrupted(folder / "cosine", cosine, 4, true);
  cosine.epochs = 20;
  expect_error(Fault::argument, {"epochs is 12"}, [&] { resumed(folder / "cosine", cosine); });
}

TEST(Resume, AFullDiskLosesNothing) {
  const TemporaryFolder folder;
  TrainOptions options = sample_options();
  const Outcome whole = uninterrupted(folder / "whole", options);
  options.checkpoint_seconds = 0;
  const fs::path path = folder / "run";
  {
    TinyProblem problem(sample_seed);
    RunFolder run = new_folder(path);
    std::unique_ptr<FileSizeLimit> full;
    problem.before_step = [&](std::int64_t epoch, std::int64_t step) {
      if (epoch == 2 && step == 1) full = std::make_unique<FileSizeLimit>(700);
    };
    Trainer trainer(problem, options, sample_seed, {&run, nullptr, nullptr});
    expect_error(Fault::io, {"cannot write", "the checkpoint of epoch 3, step 2 is intact", "resume"},
                 [&] { trainer.run(); });
  }
  EXPECT_EQ(read_checkpoint(path / "checkpoints/last.safetensors").remark, "");
  EXPECT_TRUE(resumed(path, options) == whole);
}

}  // namespace
}  // namespace gsan
