// After the first steps of a training no tensor of 4 KiB or more is allocated: each finds a block that a step
// before gave back (ops/block_pool.h).

#include <cstdlib>
#include <iostream>

#include <gtest/gtest.h>

#include "gsan/models/model_kinds.h"
#include "gsan/ops/block_pool.h"
#include "gsan/train/optimizer.h"
#include "gsan/train/task_training.h"

#include "train/small_graphs.h"

namespace gsan {
namespace {

struct Blocks {
  std::int64_t first, later;
};

/// Made by two passes over three batches, dropout and updates of the weights among them, and by ten more.
Blocks blocks_of_passes(const std::string& name) {
  ops::release_waiting();
  const GraphClassification task = small_graph_task();
  Model model = small_graph_model(task, name, 0.2, 32);
  TaskTraining training(task, model, {.prefetch = false});
  Optimizer optimizer({}, *model);
  const auto pass = [&] {
    for (std::int64_t step = 0; step < 3; ++step) {
      optimizer.zero_grad();
      const RandomStream dropout = RandomStream(3, "dropout").substream(static_cast<std::uint64_t>(step));
      training.step_loss(0, step, dropout).backward();
      optimizer.step();
    }
  };
  const std::int64_t before = ops::fresh_blocks();
  pass(), pass();
  const std::int64_t warm = ops::fresh_blocks();
  for (int i = 0; i < 10; ++i) pass();
  return {warm - before, ops::fresh_blocks() - warm};
}

// In a process of its own: the allocator of all tensors changes for good.
TEST(StepMemoryDeathTest, NoStepOfAnyModelAllocatesAfterTheFirst) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto train = [] {
    ops::pool_all_tensors();
    bool is_fine = true;
    for (const std::string& name : model_names()) {
      const Blocks made = blocks_of_passes(name);
      if (made.first > 0 && made.later == 0) continue;
      is_fine = false;
      std::cerr << name << ": " << made.first << " blocks at first, " << made.later << " later\n";
    }
    std::exit(is_fine ? 0 : 1);
  };
  EXPECT_EXIT(train(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace gsan
