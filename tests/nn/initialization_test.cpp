#include "gsan/nn/initialization.h"

#include <cmath>

#include <gtest/gtest.h>

#include <torch/utils.h>

namespace gsan {
namespace {

TEST(Initialization, SameStreamSameBits) {
  for (const auto& entry : EnumNames<Initialization>::names) {
    const Tensor a = torch::empty({7, 5}), b = torch::empty({7, 5}), c = torch::empty({7, 5});
    initialize(a, entry.first, 7, 5, 1, RandomStream(3, "weight"));
    initialize(b, entry.first, 7, 5, 1, RandomStream(3, "weight"));
    initialize(c, entry.first, 7, 5, 1, RandomStream(4, "weight"));
    EXPECT_TRUE(a.equal(b));
    EXPECT_FALSE(a.equal(c));
  }
}

// float32 values are the rounded float64 ones: a model is the same in both types.
TEST(Initialization, TheTypeOnlyRounds) {
  const Tensor wide = torch::empty({40}, torch::kFloat64), narrow = torch::empty({40});
  fill_normal(wide, 0.3, RandomStream(1, "weight"));
  fill_normal(narrow, 0.3, RandomStream(1, "weight"));
  EXPECT_TRUE(wide.to(torch::kFloat32).equal(narrow));
}

// 40 matrices 50 × 30 in one tensor: the variance is that of one matrix, 2 gain² / (50 + 30). Its estimate
// from n = 60000 numbers has a relative error of √(2 / n) at most; 5 of them.
TEST(Initialization, VarianceIsThatOfOneMatrix) {
  for (const auto& [kind, name] : EnumNames<Initialization>::names) {
    const Tensor stack = torch::empty({40, 50, 30}, torch::kFloat64);
    initialize(stack, kind, 50, 30, 1.5, RandomStream(1, "weight"));
    const double expected = 1.5 * 1.5 * 2 / 80.0;
    const double error = 5 * std::sqrt(2.0 / 60000);
    EXPECT_NEAR(stack.square().mean().item<double>() / expected, 1, error) << name;
    EXPECT_LT(std::abs(stack.mean().item<double>()), 5 * std::sqrt(expected / 60000)) << name;
    if (kind == Initialization::xavier_uniform) {
      EXPECT_LE(stack.abs().max().item<double>(), 1.5 * std::sqrt(6.0 / 80));
    }
  }
}

TEST(Initialization, LeavesNoGradientBehind) {
  const Tensor parameter = torch::empty({3, 3}).requires_grad_();
  fill_uniform(parameter, 2, 3, RandomStream(1, "weight"));
  EXPECT_TRUE(parameter.is_leaf() && parameter.requires_grad());
  EXPECT_TRUE(((parameter >= 2) & (parameter <= 3)).all().item<bool>());
}

TEST(Initialization, EmptyParametersAreFilledWithNothing) {
  const Tensor parameter = torch::empty({0, 4});
  initialize(parameter, Initialization::xavier_uniform, 0, 4, 1, RandomStream(1, "weight"));
  EXPECT_EQ(parameter.numel(), 0);
}

TEST(StreamFromTorch, IsGovernedByTorchsSeed) {
  torch::manual_seed(5);
  const auto first = stream_from_torch("weight").key();
  const auto second = stream_from_torch("weight").key();
  EXPECT_NE(first, second);
  torch::manual_seed(5);
  EXPECT_EQ(stream_from_torch("weight").key(), first);
  torch::manual_seed(5);
  EXPECT_NE(stream_from_torch("bias").key(), first);
  torch::manual_seed(6);
  EXPECT_NE(stream_from_torch("weight").key(), first);
}

}  // namespace
}  // namespace gsan
