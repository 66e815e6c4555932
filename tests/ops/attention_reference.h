#pragma once
// Attention of ops/attention_powers.h composed of the ops on pair lists, in float64, and lists to try it on.

#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <torch/csrc/autograd/autograd.h>
#include <torch/types.h>

#include "gsan/ops/attention_powers.h"
#include "gsan/ops/pairs.h"
#include "gsan/ops/segments.h"

#include "ops/pair_reference.h"

namespace gsan {

using Tensors = std::vector<torch::Tensor>;

/// The pairs (i, j), (j, i) of the edges and (i, i) of all simplices, by increasing source; `pairs` is empty.
inline PairTables pairs_of_edges(std::int64_t n,
                                 const std::vector<std::pair<std::int64_t, std::int64_t>>& edges) {
  std::vector<std::set<std::int64_t>> rows(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) rows[static_cast<std::size_t>(i)].insert(i);
  for (const auto& [i, j] : edges) {
    rows[static_cast<std::size_t>(i)].insert(j);
    rows[static_cast<std::size_t>(j)].insert(i);
  }
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int32_t> sources;
  for (const auto& row : rows) {
    for (const std::int64_t j : row) sources.push_back(static_cast<std::int32_t>(j));
    offsets.push_back(static_cast<std::int64_t>(sources.size()));
  }
  PairTables t;
  t.offsets = torch::tensor(at::ArrayRef<std::int64_t>(offsets), torch::kInt64);
  t.sources = torch::tensor(at::ArrayRef<std::int32_t>(sources), torch::kInt32);
  // The list is sorted by (receiver, source): its order by (source, receiver) is the mirror.
  const torch::Tensor counts = t.offsets.slice(0, 1) - t.offsets.slice(0, 0, n);
  const torch::Tensor receivers = torch::repeat_interleave(counts);
  t.mirror = torch::empty({t.count()}, torch::kInt32);
  const torch::Tensor order = torch::argsort(t.sources.to(torch::kInt64) * n + receivers);
  t.mirror.index_put_({order}, torch::arange(t.count(), torch::kInt32));
  return t;
}

/// The first `hubs` simplices are neighbours of everybody, the others of a few.
inline PairTables hub_pairs(std::int64_t n, std::int64_t hubs, std::int64_t few, std::uint64_t seed) {
  RandomStream random(seed, "hubs");
  std::vector<std::pair<std::int64_t, std::int64_t>> edges;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t h = 0; h < hubs; ++h) edges.emplace_back(h, i);
    for (std::int64_t e = 0; e < few; ++e)
      edges.emplace_back(i, static_cast<std::int64_t>(random.uniform() * static_cast<double>(n)));
  }
  return pairs_of_edges(n, edges);
}

/// What a kernel gets, and the same operator as a list of pairs with a mask and signs per pair.
struct AttentionProblem {
  ops::AttentionOperands operands;
  PairTables pairs;
  std::optional<torch::Tensor> pair_mask, pair_signs;
};

struct AttentionResult {
  torch::Tensor y;
  Tensors gradients;  ///< in taps, receiver and source
};

/// A gradient of y without symmetry.
inline torch::Tensor fixed_gradient(const torch::Tensor& y) {
  return torch::arange(1, y.numel() + 1, torch::kFloat64)
      .mul_(0.7)
      .sin_()
      .view(y.sizes())
      .to(y.scalar_type());
}

/// y and the gradients for its fixed gradient.
template <class Function>
AttentionResult differentiate(const ops::AttentionOperands& o, torch::ScalarType type,
                              const Function& function) {
  const auto leaf = [&](const torch::Tensor& x) { return x.detach().to(type).requires_grad_(); };
  ops::AttentionOperands leaves = o;
  leaves.taps = leaf(o.taps), leaves.receiver = leaf(o.receiver), leaves.source = leaf(o.source);
  const torch::Tensor y = function(leaves);
  Tensors gradients = torch::autograd::grad({y}, {leaves.taps, leaves.receiver, leaves.source},
                                            {fixed_gradient(y)}, /*retain_graph=*/false,
                                            /*create_graph=*/false, /*allow_unused=*/true);
  const Tensors inputs = {leaves.taps, leaves.receiver, leaves.source};
  for (std::size_t i = 0; i < 3; ++i)
    if (!gradients[i].defined()) gradients[i] = torch::zeros_like(inputs[i]);
  return {y.detach(), gradients};
}

/// y by definition, in ops that differentiate; the operands in float64, mask and signs those of the problem.
inline torch::Tensor reference_powers(const AttentionProblem& problem, const ops::AttentionOperands& o) {
  const PairTables& p = problem.pairs;
  const torch::Tensor scores =
      at::leaky_relu(ops::pair_sum(o.receiver, o.source, p.offsets, p.sources, p.mirror), o.negative_slope);
  torch::Tensor weights = o.sigmoid ? scores.sigmoid() : ops::segment_softmax(scores, p.offsets);
  if (problem.pair_mask) weights = weights * problem.pair_mask->to(torch::kFloat64);
  if (problem.pair_signs) weights = weights * problem.pair_signs->to(torch::kFloat64).unsqueeze(-1);
  const std::int64_t heads = o.receiver.size(-1), features = o.taps.size(-1) / heads;
  const auto apply = [&](const torch::Tensor& x) {
    return ops::weighted_gather(weights, x.unflatten(-1, {heads, features}), p.offsets, p.sources, p.mirror)
        .flatten(-2);
  };
  torch::Tensor y = o.taps.select(-2, -1);
  for (std::int64_t tap = o.taps.size(-2) - 2; tap >= 0; --tap) y = o.taps.select(-2, tap) + apply(y);
  return o.first_power ? apply(y) : y + torch::zeros_like(y);
}

inline AttentionResult reference_attention(const AttentionProblem& problem) {
  return differentiate(problem.operands, torch::kFloat64,
                       [&](const ops::AttentionOperands& o) { return reference_powers(problem, o); });
}

inline AttentionResult kernel_attention(const ops::AttentionOperands& o) {
  const Tensors kept = ops::attention_powers(o, true);
  return {kept[0], ops::attention_powers_backward(fixed_gradient(kept[0]), o, kept)};
}

/// Largest difference, relative to 1 + the largest value.
inline double attention_error(const torch::Tensor& actual, const torch::Tensor& expected) {
  EXPECT_EQ(actual.sizes(), expected.sizes());
  if (actual.numel() == 0 || actual.sizes() != expected.sizes()) return 0;
  const torch::Tensor difference = actual.to(torch::kFloat64) - expected.to(torch::kFloat64);
  return difference.abs().max().item<double>() / (1 + expected.abs().max().item<double>());
}

/// A score is rounded to half an ulp of its size three times (sum, slope, difference to the maximum), which
/// its weight shows; a sum of a row, and of rows of powers, adds some ulps. The reference adds the pairs of a
/// row one by one, in float64: its own errors are a random walk of so many steps.
inline double attention_tolerance(const AttentionProblem& problem, double largest_score) {
  constexpr double fine = std::numeric_limits<double>::epsilon(),
                   coarse = std::numeric_limits<float>::epsilon();
  const double ulp = problem.operands.taps.scalar_type() == torch::kFloat64 ? fine : coarse;
  const torch::Tensor ends = problem.pairs.offsets.slice(0, 1),
                      counts = ends - problem.pairs.offsets.slice(0, 0, ends.size(0));
  const double longest = ends.numel() ? counts.max().item<double>() : 0;
  return ulp * (32 + 4 * largest_score) + fine * std::sqrt(longest);
}

inline void expect_equals(const AttentionProblem& problem, const AttentionResult& expected,
                          double largest_score, const std::string& what) {
  const AttentionResult actual = kernel_attention(problem.operands);
  const double bound = attention_tolerance(problem, largest_score);
  EXPECT_LE(attention_error(actual.y, expected.y), bound) << what << ", y";
  const char* names[] = {"taps", "receiver", "source"};
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_LE(attention_error(actual.gradients[i], expected.gradients[i]), bound)
        << what << ", gradient of " << names[i];
}

inline void expect_equals_reference(const AttentionProblem& problem, double largest_score,
                                    const std::string& what) {
  expect_equals(problem, reference_attention(problem), largest_score, what);
}

inline void expect_same_bits(const AttentionResult& a, const AttentionResult& b, const std::string& what) {
  EXPECT_TRUE(torch::equal(a.y, b.y)) << what;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(torch::equal(a.gradients[i], b.gradients[i])) << what << i;
}

/// Everything but the structure of a problem.
struct AttentionVariant {
  std::int64_t heads = 1, features = 16, taps = 1, first_power = 1;
  std::vector<std::int64_t> leading = {};
  double scale = 1;  ///< of the scores
  torch::ScalarType type = torch::kFloat32;
  bool sigmoid = false;  ///< pairs only
};

inline ops::AttentionOperands random_operands(std::int64_t n, const AttentionVariant& v) {
  const auto sizes = [&](std::initializer_list<std::int64_t> last) {
    std::vector<std::int64_t> all = v.leading;
    all.insert(all.end(), last.begin(), last.end());
    return all;
  };
  ops::AttentionOperands o;
  o.taps = torch::randn(sizes({n, v.taps, v.heads * v.features}), v.type);
  o.receiver = torch::rand(sizes({n, v.heads}), v.type).mul_(2).sub_(1).mul_(v.scale / 2);
  o.source = torch::rand(sizes({n, v.heads}), v.type).mul_(2).sub_(1).mul_(v.scale / 2);
  o.first_power = v.first_power;
  o.sigmoid = v.sigmoid;
  return o;
}

inline AttentionProblem pair_problem(const PairTables& t, const AttentionVariant& v, bool masked,
                                     bool with_signs) {
  AttentionProblem problem{random_operands(t.simplices(), v), t, {}, {}};
  ops::AttentionOperands& o = problem.operands;
  o.structure = {t.offsets, t.sources, t.mirror};
  if (masked) {
    std::vector<std::int64_t> sizes = v.leading;
    sizes.insert(sizes.end(), {t.count(), v.heads});
    problem.pair_mask = o.mask = torch::rand(sizes).ge(0.3).to(v.type).div_(0.7);
  }
  if (with_signs) {
    torch::Tensor signs = torch::randint(0, 2, {t.count()}, torch::kInt64).mul_(2).sub_(1);
    signs = (signs * signs.index({t.mirror.to(torch::kInt64)})).to(torch::kInt8);
    problem.pair_signs = o.signs = signs;
  }
  return problem;
}

}  // namespace gsan
