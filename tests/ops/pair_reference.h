#pragma once
// The ops on pair lists by definition, and lists to try them on.

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

#include <torch/types.h>

#include "gsan/core/random.h"

namespace gsan {

struct PairTables {
  torch::Tensor offsets, sources, mirror;
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;  ///< (receiver, source)

  std::int64_t simplices() const { return offsets.size(0) - 1; }
  std::int64_t count() const { return sources.size(0); }
};

/// The list of the pairs (i, j) for which `related`, a symmetric relation on 0 … n − 1, holds.
inline PairTables pair_tables(std::int64_t n,
                              const std::function<bool(std::int64_t, std::int64_t)>& related) {
  PairTables t;
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int32_t> sources, mirror;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      if (!related(i, j)) continue;
      sources.push_back(static_cast<std::int32_t>(j));
      t.pairs.emplace_back(i, j);
    }
    offsets.push_back(static_cast<std::int64_t>(sources.size()));
  }
  for (const auto& [i, j] : t.pairs) {
    for (std::int64_t e = offsets[j]; e < offsets[j + 1]; ++e)
      if (sources[e] == i) mirror.push_back(static_cast<std::int32_t>(e));
  }
  t.offsets = torch::tensor(at::ArrayRef<std::int64_t>(offsets), torch::kInt64);
  t.sources = torch::tensor(at::ArrayRef<std::int32_t>(sources), torch::kInt32);
  t.mirror = torch::tensor(at::ArrayRef<std::int32_t>(mirror), torch::kInt32);
  return t;
}

/// A random symmetric list on n simplices; every fourth one has no pairs at all, not even with itself.
inline PairTables random_pairs(std::int64_t n, std::uint64_t seed) {
  const RandomStream stream(seed, "pairs");
  return pair_tables(n, [&](std::int64_t i, std::int64_t j) {
    if (i % 4 == 3 || j % 4 == 3) return false;
    const auto a = static_cast<std::uint32_t>(std::min(i, j)), b = static_cast<std::uint32_t>(std::max(i, j));
    return i == j || stream.at({a, b, 0, 0})[0] % 3 == 0;
  });
}

/// Every simplex with its `reach` next ones on both sides of a circle of n, and itself.
inline PairTables circle_pairs(std::int64_t n, std::int64_t reach) {
  return pair_tables(n, [=](std::int64_t i, std::int64_t j) {
    const std::int64_t distance = std::abs(i - j);
    return distance <= reach || n - distance <= reach;
  });
}

/// f(signal, head, pair number, receiver, source) for everything that there is.
template <class F>
void for_each_pair(const PairTables& t, std::int64_t signals, std::int64_t heads, const F& f) {
  for (std::int64_t s = 0; s < signals; ++s)
    for (std::int64_t e = 0; e < t.count(); ++e)
      for (std::int64_t h = 0; h < heads; ++h) f(s, h, e, t.pairs[e].first, t.pairs[e].second);
}

/// term(z_receiver, z_source) summed over the features: receiver and source [S, N, H, F] → [S, E, H].
inline torch::Tensor reference_scores(
    const torch::Tensor& receiver, const torch::Tensor& source, const PairTables& t,
    const std::function<double(double, double, std::int64_t, std::int64_t)>& term) {
  const torch::Tensor r = receiver.to(torch::kFloat64).contiguous(),
                      s = source.to(torch::kFloat64).contiguous();
  torch::Tensor y = torch::zeros({r.size(0), t.count(), r.size(2)}, torch::kFloat64);
  const auto a = r.accessor<double, 4>(), b = s.accessor<double, 4>();
  auto out = y.accessor<double, 3>();
  for_each_pair(t, r.size(0), r.size(2), [&](auto n, auto h, auto e, auto i, auto j) {
    for (std::int64_t f = 0; f < r.size(3); ++f) out[n][e][h] += term(a[n][i][h][f], b[n][j][h][f], h, f);
  });
  return y;
}

/// y_i = Σ w_(i,j) x_j, transposed y_j = Σ w_(i,j) x_i: weights [S, E, H], x [S, N, H, F].
inline torch::Tensor reference_gather(const torch::Tensor& weights, const torch::Tensor& x,
                                      const PairTables& t, bool transposed) {
  const torch::Tensor w = weights.to(torch::kFloat64).contiguous(), z = x.to(torch::kFloat64).contiguous();
  torch::Tensor y = torch::zeros_like(z);
  const auto a = w.accessor<double, 3>();
  const auto b = z.accessor<double, 4>();
  auto out = y.accessor<double, 4>();
  for_each_pair(t, z.size(0), z.size(2), [&](auto n, auto h, auto e, auto i, auto j) {
    for (std::int64_t f = 0; f < z.size(3); ++f) {
      if (transposed)
        out[n][j][h][f] += a[n][e][h] * b[n][i][h][f];
      else
        out[n][i][h][f] += a[n][e][h] * b[n][j][h][f];
    }
  });
  return y;
}

}  // namespace gsan
