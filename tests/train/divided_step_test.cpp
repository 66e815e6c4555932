// Micro-batches of a step add up to it.

#include "gsan/train/divided_step.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "gsan/train/micro_batches.h"
#include "gsan/train/task_training.h"

#include "train/small_graphs.h"

namespace gsan {
namespace {

TEST(MicroBatches, EveryItemIsInOneOfThem) {
  const GraphClassification task = small_graph_task();
  for (const int count : {1, 2, 4, 16}) {
    const MicroBatches parts(task, count, nullptr);
    const BatchSequence sequence = parts.sequence();
    for (const std::int64_t epoch : {0, 1}) {
      std::int64_t number = 0;
      for (std::int64_t step = 0; step < task.batch_count(Phase::train, epoch); ++step) {
        std::vector<Tensor> targets;
        double shares = 0;
        for (int i = 0; i < count; ++i) {
          shares += parts.share(step, i);
          if (parts.share(step, i) == 0) continue;
          EXPECT_EQ(parts.number(step, i), number);
          targets.push_back(sequence.make(epoch, number++).targets);
        }
        EXPECT_NEAR(shares, 1, 1e-12);
        EXPECT_TRUE(torch::cat(targets).equal(task.batch(Phase::train, epoch, step).targets));
      }
      EXPECT_EQ(sequence.count(epoch), number);
    }
  }
}

TEST(DividedStep, RanksTakeTurns) {
  EXPECT_EQ(micro_batches_of(1, 3, 4), (std::vector<int>{1}));
  EXPECT_EQ(micro_batches_of(0, 3, 4), (std::vector<int>{0, 3}));
  EXPECT_TRUE(micro_batches_of(5, 6, 4).empty());
}

// Weights after some steps; dropout masks belong to items, so that a micro-batch drops what the batch drops.
std::vector<Tensor> trained(const Task& task, const std::string& name, int micro_batches, bool prefetch) {
  Model model = small_graph_model(task, name);
  model->to(torch::kFloat64);
  TaskTraining training(task, model, {.micro_batches = micro_batches, .prefetch = prefetch});
  EXPECT_EQ(training.micro_batches(), micro_batches);
  Optimizer optimizer({.learning_rate = 0.01}, *model);
  StepRunner runner(training, optimizer);
  for (std::int64_t step = 0; step < task.batch_count(Phase::train, 0); ++step)
    runner.run(0, step, 1, RandomStream(3, "dropout").substream(static_cast<std::uint64_t>(step)));
  return model->parameters();
}

TEST(DividedStep, GradientsAddUpToThoseOfTheBatch) {
  const GraphClassification task = small_graph_task(torch::kCPU, torch::kFloat64);
  for (const std::string name : {"gsan", "san", "scnn"}) {
    const std::vector<Tensor> whole = trained(task, name, 1, true);
    const std::vector<Tensor> parts = trained(task, name, 4, true), again = trained(task, name, 4, false);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      EXPECT_TRUE(parts[i].allclose(whole[i], 1e-6, 1e-8)) << name << " " << i;
      EXPECT_TRUE(parts[i].equal(again[i])) << name << " " << i;
    }
  }
}

TEST(DividedStep, WhatCannotBeDividedIsNot) {
  const GraphClassification task = small_graph_task();
  Model model = small_graph_model(task, "mpsn");
  EXPECT_NE(why_not_divided(task, *model).find("batch normalisation"), std::string::npos);
  EXPECT_EQ(TaskTraining(task, model, {.micro_batches = 4}).micro_batches(), 1);
}

}  // namespace
}  // namespace gsan
