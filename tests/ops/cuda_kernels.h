#pragma once
// Ops on a GPU beside the same ops on the CPU. Everything is skipped where there is no GPU.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <torch/cuda.h>
#include <torch/types.h>

namespace gsan {

using torch::Tensor;
using Tensors = std::vector<Tensor>;
using Call = std::function<Tensors(const Tensors&)>;

struct CudaKernels : testing::Test {
  void SetUp() override {
    if (!torch::cuda::is_available()) GTEST_SKIP() << "there is no GPU";
    torch::manual_seed(11);
  }
};

/// How the values of a tensor lie in memory: as they are; every other number; rows with a gap after each.
enum class Layout { dense, every_other, with_gaps };
inline constexpr Layout layouts[] = {Layout::dense, Layout::every_other, Layout::with_gaps};

inline Tensor laid_out(const Tensor& x, Layout layout) {
  if (!x.is_floating_point() || layout == Layout::dense) return x;
  if (layout == Layout::every_other) return torch::stack({x, x}, -1).select(-1, 0);
  return torch::cat({x, x.narrow(-1, 0, x.size(-1) > 0 ? 1 : 0)}, -1).narrow(-1, 0, x.size(-1));
}

/// On the GPU; numbers, unless they are indices, as `type`.
inline Tensors on_gpu(const Tensors& inputs, torch::ScalarType type, Layout layout = Layout::dense) {
  Tensors moved;
  for (const Tensor& x : inputs)
    moved.push_back(x.is_floating_point() ? laid_out(x.to(torch::kCUDA, type), layout) : x.to(torch::kCUDA));
  return moved;
}

/// Differences relative to the largest value; what is no floating point number must be equal.
inline void expect_near(const Tensor& actual, const Tensor& expected, double tolerance,
                        const std::string& what) {
  ASSERT_TRUE(actual.is_cuda()) << what;
  ASSERT_EQ(actual.sizes(), expected.sizes()) << what;
  if (expected.numel() == 0) return;
  const Tensor a = actual.cpu();
  if (!expected.is_floating_point()) {
    EXPECT_TRUE(torch::equal(a, expected)) << what;
    return;
  }
  const Tensor x = a.to(torch::kFloat64), y = expected.to(torch::kFloat64);
  EXPECT_TRUE(torch::equal(x.isnan(), y.isnan())) << what << ": NaN elsewhere";
  const double scale = y.nan_to_num(0, 0, 0).abs().max().item<double>();
  const double difference = (x - y).nan_to_num(0, 0, 0).abs().max().item<double>();
  EXPECT_LE(difference, tolerance * (scale > 0 ? scale : 1)) << what;
}

/// The op on the GPU in both types and on the CPU in float64 gives the same for float64 `inputs`, which
/// float32 can hold.
inline void expect_same(const std::string& what, const Call& call, const Tensors& inputs,
                        Layout layout = Layout::dense) {
  const Tensors expected = call(inputs);
  for (const auto type : {torch::kFloat64, torch::kFloat32}) {
    const Tensors actual = call(on_gpu(inputs, type, layout));
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i)
      expect_near(
          actual[i], expected[i], type == torch::kFloat64 ? 1e-12 : 2e-5,
          what + " result " + std::to_string(i) + (type == torch::kFloat64 ? " float64" : " float32"));
  }
}

/// Values that float32 can hold, as float64.
inline Tensor values(at::IntArrayRef sizes) { return torch::randn(sizes).to(torch::kFloat64); }

}  // namespace gsan
