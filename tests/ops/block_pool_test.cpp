// Memory that waits for the next tensor of its size.

#include "gsan/ops/block_pool.h"

#include <cstdlib>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <torch/types.h>

namespace gsan {
namespace {

constexpr std::int64_t mebi = 1 << 20;

torch::Tensor bytes(std::int64_t count) { return ops::pooled_empty({count}, torch::kByte); }

class BlockPool : public testing::Test {
 protected:
  void SetUp() override { ops::release_waiting(); }
  void TearDown() override { ops::release_waiting(); }
};

TEST_F(BlockPool, AFreedBlockIsTheNextTensorOfItsSize) {
  torch::Tensor first = ops::pooled_empty({1024, 2048}, torch::kFloat32);
  EXPECT_TRUE(first.is_contiguous());
  EXPECT_EQ(first.scalar_type(), torch::kFloat32);
  void* const memory = first.data_ptr();
  first = torch::Tensor();
  EXPECT_EQ(ops::waiting_bytes(), 8 * mebi);
  const torch::Tensor second = ops::pooled_empty({2, 512, 1024}, torch::kFloat64);
  EXPECT_EQ(second.data_ptr(), memory);
  EXPECT_EQ(second.sizes(), (std::vector<std::int64_t>{2, 512, 1024}));
  EXPECT_EQ(ops::waiting_bytes(), 0);
  const torch::Tensor third = ops::pooled_empty({8 * mebi}, torch::kByte);  // while the second one lives
  EXPECT_NE(third.data_ptr(), nullptr);
  EXPECT_NE(third.data_ptr(), memory);
}

TEST_F(BlockPool, AViewKeepsItsBlock) {
  torch::Tensor rows = bytes(8 * mebi).view({8, mebi})[3];
  EXPECT_EQ(ops::waiting_bytes(), 0);
  rows.fill_(7);
  const torch::Tensor other = bytes(8 * mebi).fill_(1);
  EXPECT_EQ(rows.min().item<int>(), 7);
}

// Two sizes that take turns: when the second one sent the first back, no step found the block of the one
// before.
TEST_F(BlockPool, BlocksOfSeveralSizesWait) {
  bytes(8 * mebi), bytes(16 * mebi);
  const std::int64_t made = ops::fresh_blocks();
  for (int step = 0; step < 5; ++step) bytes(8 * mebi), bytes(16 * mebi);
  EXPECT_EQ(ops::fresh_blocks(), made);
  EXPECT_EQ(ops::waiting_bytes(), 24 * mebi);
}

TEST_F(BlockPool, NearlyEqualSizesShareABlock) {
  bytes(8 * mebi - 1000);
  const std::int64_t made = ops::fresh_blocks();
  const torch::Tensor other = bytes(8 * mebi - 5000).fill_(1);
  EXPECT_EQ(ops::fresh_blocks(), made);
  EXPECT_EQ(other.numel(), 8 * mebi - 5000);
}

TEST_F(BlockPool, SizesThatAreGoneDoNotWaitForEver) {
  bytes(64 * mebi);
  for (int step = 0; step < 5000; ++step) bytes(8 * mebi);
  EXPECT_EQ(ops::waiting_bytes(), 72 * mebi);  // nothing new was made meanwhile
  bytes(16 * mebi);
  EXPECT_EQ(ops::waiting_bytes(), 24 * mebi);
}

TEST_F(BlockPool, SmallTensorsDoNotWait) {
  bytes(4 * mebi - 1);
  bytes(0);
  EXPECT_EQ(ops::waiting_bytes(), 0);
}

// Nobody writes to these: they cost no memory.
TEST_F(BlockPool, AtMostTwoGibibytesWait) {
  std::vector<torch::Tensor> many;
  for (int i = 0; i < 5; ++i) many.push_back(bytes(512 * mebi));
  many.clear();
  EXPECT_EQ(ops::waiting_bytes(), 2048 * mebi);
}

TEST_F(BlockPool, ATensorMayGrowPastItsBlock) {
  torch::Tensor tensor = bytes(4 * mebi).fill_(5);
  tensor.resize_({9 * mebi});
  EXPECT_EQ(tensor.narrow(0, 0, 4 * mebi).min().item<int>(), 5);
  EXPECT_EQ(ops::waiting_bytes(), 4 * mebi);
}

TEST_F(BlockPool, ThreadsNeverShareABlock) {
  std::vector<int> faults(4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t, &faults] {
      for (int i = 0; i < 50; ++i) {
        const torch::Tensor own = bytes((4 + i % 2) * mebi);
        auto* const at = own.mutable_data_ptr<std::uint8_t>();
        for (std::int64_t b = 0; b < own.numel(); b += 65536) at[b] = static_cast<std::uint8_t>(t);
        for (std::int64_t b = 0; b < own.numel(); b += 65536) faults[t] += at[b] != t;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : faults) EXPECT_EQ(count, 0);
}

// In a process of its own: the allocator of all tensors changes for good.
TEST(PooledTensorsDeathTest, StepsOfTorchsOwnOpsMakeNoBlockAfterTheFirst) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto train = [] {
    ops::pool_all_tensors();
    torch::Tensor x = torch::randn({4000, 32}), w = torch::randn({32, 32}, torch::requires_grad());
    const auto step = [&] {
      torch::Tensor y = x;
      for (int layer = 0; layer < 3; ++layer) y = torch::tanh(y.mm(w));
      y.square().mean().backward();
      w.mutable_grad().reset();
      torch::Tensor grown = torch::ones({2000}).resize_({6000});  // from one block to another
      grown.fill_(1);
    };
    step(), step();
    const std::int64_t made = ops::fresh_blocks();
    for (int i = 0; i < 10; ++i) step();
    std::exit(ops::fresh_blocks() == made && made > 0 ? 0 : 1);
  };
  EXPECT_EXIT(train(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace gsan
