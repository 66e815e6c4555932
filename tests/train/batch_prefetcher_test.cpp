#include "gsan/train/batch_prefetcher.h"

#include <atomic>

#include <gtest/gtest.h>

#include <ATen/Parallel.h>

#include "gsan/core/check.h"
#include "gsan/models/backbones/layers.h"
#include "gsan/nn/weights.h"
#include "gsan/tasks/graph_classification/task.h"
#include "gsan/train/task_training.h"
#include "gsan/train/trainer.h"

#include "support/expect_error.h"
#include "tasks/task_samples.h"

namespace gsan {
namespace {

Split all_but(std::int64_t count, std::int64_t validation) {
  Split split;
  for (std::int64_t i = 0; i < count; ++i) (i < validation ? split.validation : split.train).push_back(i);
  return split;
}

GraphClassification sample_task(int batch_size = 5) {
  return {cycles_and_paths(24), all_but(24, 6), RandomStream(1, "batches"), {.batch_size = batch_size}};
}

void expect_same(const Batch& a, const Batch& b) {
  EXPECT_EQ(a.operators.complex(), b.operators.complex());
  EXPECT_TRUE(a.operators.part_keys(0).equal(b.operators.part_keys(0)));
  EXPECT_TRUE(a.targets.equal(b.targets));
  for (std::size_t k = 0; k < a.signals.size(); ++k) EXPECT_TRUE(a.signals[k].equal(b.signals[k]));
}

// Watches, and may fail in one place.
class WatchedTask : public Task {
 public:
  explicit WatchedTask(const Task& task) : task_(task) {}
  std::string name() const override { return "watched"; }
  ModelShape shape() const override { return task_.shape(); }
  std::int64_t batch_count(Phase phase, std::int64_t epoch) const override {
    return task_.batch_count(phase, epoch);
  }
  Batch batch(Phase phase, std::int64_t epoch, std::int64_t step) const override {
    ++made;
    threads = at::get_num_threads();
    const bool fails = step == fails_at && failures > 0;
    if (fails) --failures;
    GSAN_CHECK(!fails, "no batch at ", epoch, " ", step);
    return task_.batch(phase, epoch, step);
  }
  bool has_costly_batches() const override { return true; }
  Tensor loss(const ModelOutput& output, const Batch& batch) const override {
    return task_.loss(output, batch);
  }
  std::unique_ptr<Meter> meter(Phase phase) const override { return task_.meter(phase); }
  std::string choosing_metric() const override { return task_.choosing_metric(); }
  std::vector<std::pair<std::string, Items>> parts() const override { return task_.parts(); }
  std::vector<RuleResult> rules(Phase) const override { return {}; }
  Prediction predict(Model& model) const override { return task_.predict(model); }
  std::vector<JudgedItem> worst_items(Model& model, Phase phase, std::int64_t count) const override {
    return task_.worst_items(model, phase, count);
  }

  mutable std::atomic<int> made = 0, threads = 0, failures = 0;
  std::int64_t fails_at = -1;

 private:
  const Task& task_;
};

TEST(BatchPrefetcher, GivesTheBatchesOfTheTaskInOrderAcrossEpochsAndAfterJumps) {
  const GraphClassification task = sample_task();  // 4 steps an epoch
  BatchPrefetcher ahead(task);
  const std::vector<std::pair<int, int>> places{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0}, {1, 1},
                                                {7, 2}, {7, 3}, {8, 0}, {8, 0}, {0, 3}, {1, 0},
                                                {1, 2}, {1, 3}, {1, 3}, {2, 0}};
  for (const auto& [epoch, step] : places) {
    SCOPED_TRACE(concat(epoch, " ", step));
    expect_same(ahead.get(epoch, step), task.batch(Phase::train, epoch, step));
  }
}

TEST(BatchPrefetcher, IsAtMostTwoAheadAndLeavesNothingBehind) {
  const GraphClassification inner = sample_task();
  const WatchedTask task(inner);
  { const BatchPrefetcher unused(task); }
  EXPECT_EQ(task.made, 0);
  for (int round = 0; round < 20; ++round) {
    task.made = 0;
    BatchPrefetcher ahead(task);  // ends while batches are made
    ahead.get(round, 0);
    EXPECT_LE(task.made, 3);
  }
}

TEST(BatchPrefetcher, ComputesSeriallyAndLeavesTheThreadsOfTheCallerAlone) {
  const GraphClassification inner = sample_task();
  const WatchedTask task(inner);
  const int before = at::get_num_threads();
  at::set_num_threads(3);
  {
    BatchPrefetcher ahead(task);
    ahead.get(0, 0);
    EXPECT_EQ(task.threads, 1);
    EXPECT_EQ(at::get_num_threads(), 3);
  }
  EXPECT_EQ(at::get_num_threads(), 3);
  at::set_num_threads(before);
}

TEST(BatchPrefetcher, WhatTheTaskThrowsComesWhereItBelongsAndIsTriedAgain) {
  const GraphClassification inner = sample_task();
  WatchedTask task(inner);
  task.fails_at = 2;
  task.failures = 2;
  BatchPrefetcher ahead(task);
  expect_same(ahead.get(0, 0), inner.batch(Phase::train, 0, 0));
  expect_same(ahead.get(0, 1), inner.batch(Phase::train, 0, 1));
  expect_error(Fault::argument, {"no batch at 0 2"}, [&] { ahead.get(0, 2); });
  expect_error(Fault::argument, {"no batch at 0 2"}, [&] { ahead.get(0, 2); });
  for (const int step : {2, 3}) expect_same(ahead.get(0, step), inner.batch(Phase::train, 0, step));
  // A place that is skipped may fail unseen.
  task.failures = 1;
  ahead.get(4, 1);
  expect_same(ahead.get(5, 0), inner.batch(Phase::train, 5, 0));
}

TEST(BatchPrefetcher, BatchesComeWithWhatTheStepBeforeAskedFor) {
  const GraphClassification task = sample_task();
  BatchPrefetcher ahead(task);
  const Batch first = ahead.get(0, 0);
  first.operators.neighborhood(1, Side::lower);
  first.operators.lambda_bound(0);
  ahead.derive(first.operators.derived_keys());
  ahead.get(3, 0);  // what was prepared before may lack them
  EXPECT_EQ(ahead.get(6, 1).operators.derived_keys(), first.operators.derived_keys());
}

// Dropout, batches, resumed or not: the weights of a run do not know of the thread.
TEST(TaskTraining, PrefetchingChangesNoBit) {
  const GraphClassification task = sample_task();
  const auto trained = [&](bool prefetch) {
    ModelSpec spec = model_spec("gsan", "pooled");
    spec.backbone.as<LayersOptions>().layer.attention_dropout = 0.3;
    spec.backbone.as<LayersOptions>().widths = {4, 4};
    Model model(spec, task.shape(), RandomStream(1, "model"));
    TaskTraining training(task, model, {.prefetch = prefetch});
    TrainOptions train;
    train.epochs = 3;
    Trainer(training, train, 1).run();
    return weights_of(*model);
  };
  const NamedTensors with = trained(true), without = trained(false);
  ASSERT_EQ(with.size(), without.size());
  for (std::size_t i = 0; i < with.size(); ++i)
    EXPECT_TRUE(with[i].second.equal(without[i].second)) << with[i].first;
}

TEST(TaskTraining, StopsWithTheErrorOfABatch) {
  const GraphClassification inner = sample_task();
  WatchedTask task(inner);
  task.fails_at = 1;
  task.failures = 100;
  ModelSpec spec = model_spec("gsan", "pooled");
  spec.backbone.as<LayersOptions>().widths = {4};
  Model model(spec, task.shape(), RandomStream(1, "model"));
  TaskTraining training(task, model);
  expect_error(Fault::argument, {"no batch at 0 1"}, [&] { Trainer(training, {}, 1).run(); });
}

}  // namespace
}  // namespace gsan
