#include "gsan/ops/cpu/share_range.h"

#include <limits>

#include <gtest/gtest.h>

#include <torch/types.h>

#include "gsan/ops/tall_products.h"

namespace gsan {
namespace {

// Half of the smallest normal number, as the thread computes it.
float half_of_the_smallest() {
  volatile float smallest = std::numeric_limits<float>::min();
  return smallest / 2;
}

#if defined(__SSE2__)
TEST(ShareRange, NumbersBelowTheNormalOnesAreZerosInsideAndNotAfterwards) {
  ASSERT_GT(half_of_the_smallest(), 0);
  float inside = 1;
  ops::share_range(0, 1, 1, [&](std::int64_t, std::int64_t) { inside = half_of_the_smallest(); });
  EXPECT_EQ(inside, 0);
  EXPECT_GT(half_of_the_smallest(), 0);
}

TEST(ShareRange, ThreadsThatKernelsHaveUsedComputeAsBefore) {
  const torch::Tensor x = torch::full({100'000, 4}, 1e-39), y = torch::ones({100'000, 4});
  const torch::Tensor weight = torch::ones({4, 4}), none = torch::empty({4, 0});
  const auto made =
      ops::tall_products_backward(y, torch::empty({100'000, 0}), x, weight, none, {false, true});
  EXPECT_EQ(made.of_weight.abs().max().item<float>(), 0);
  EXPECT_GT((torch::full({1'000'000}, 1e-39) * 0.5).min().item<float>(), 0);
}
#endif

TEST(ShareRange, AnErrorInsideLeavesTheThreadAsItWas) {
  EXPECT_THROW(
      ops::share_range(0, 1, 1, [](std::int64_t, std::int64_t) { throw std::runtime_error("stop"); }),
      std::runtime_error);
  EXPECT_GT(half_of_the_smallest(), 0);
}

}  // namespace
}  // namespace gsan
