#pragma once
// The ops of pairs.h on a pair list, and what their tests share.

#include <vector>

#include <gtest/gtest.h>

#include <ATen/Parallel.h>
#include <torch/types.h>

#include "gsan/ops/pairs.h"

#include "ops/pair_reference.h"

namespace gsan {

using torch::Tensor;

constexpr double slope = 0.2;

inline Tensor pair_sum(const Tensor& r, const Tensor& s, const PairTables& t) {
  return ops::pair_sum(r, s, t.offsets, t.sources, t.mirror);
}
inline Tensor pair_dot(const Tensor& r, const Tensor& s, const PairTables& t) {
  return ops::pair_dot(r, s, t.offsets, t.sources, t.mirror);
}
inline Tensor gatv2(const Tensor& r, const Tensor& s, const Tensor& v, const PairTables& t) {
  return ops::gatv2_scores(r, s, v, t.offsets, t.sources, t.mirror, slope);
}
inline Tensor gather(const Tensor& w, const Tensor& x, const PairTables& t, bool transposed = false) {
  return ops::weighted_gather(w, x, t.offsets, t.sources, t.mirror, transposed);
}

inline double leaky_relu(double z) { return z > 0 ? z : slope * z; }

// Largest difference, relative to 1 + the largest value.
inline double error(const Tensor& actual, const Tensor& expected) {
  EXPECT_EQ(actual.sizes(), expected.sizes());
  if (actual.numel() == 0 || actual.sizes() != expected.sizes()) return 0;
  const Tensor difference = actual.to(torch::kFloat64) - expected;
  return difference.abs().max().item<double>() / (1 + expected.abs().max().item<double>());
}

inline double tolerance(torch::ScalarType type) { return type == torch::kFloat64 ? 1e-14 : 2e-6; }

struct Pairs : testing::Test {
  void SetUp() override { torch::manual_seed(7); }
  void TearDown() override { at::set_num_threads(threads); }
  int threads = at::get_num_threads();
};

struct Shape {
  std::int64_t signals, heads, features;
};
inline const std::vector<Shape> shapes = {{1, 1, 1}, {1, 2, 3}, {2, 3, 8}, {3, 1, 17},
                                          {1, 4, 0}, {1, 0, 2}, {0, 2, 3}};
template <class Check>
void for_all_cases(const Check& check) {
  for (const std::int64_t n : {0, 1, 2, 4, 5, 9, 14}) {
    const PairTables t = random_pairs(n, static_cast<std::uint64_t>(n));
    for (const auto& shape : shapes)
      for (const auto type : {torch::kFloat32, torch::kFloat64}) check(t, shape, type);
  }
}

}  // namespace gsan
