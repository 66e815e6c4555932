#pragma once
// Attention over stars by definition: dense matrices in float64, gradients by autograd.

#include <vector>

#include <torch/csrc/autograd/autograd.h>
#include <torch/types.h>

#include "gsan/ops/attention_powers.h"

#include "ops/incidence_reference.h"

namespace gsan {

struct DenseAttention {
  torch::Tensor y, taps, receiver, source;  ///< the result and the gradients
  double sources = 0;  ///< largest Σ_i |A_ij| over the columns j: what dx and dt grow with
};

inline std::vector<torch::Tensor> star_structure(const IncidenceTables& tables) {
  return {tables.faces, tables.offsets, tables.cofaces, tables.columns};
}

/// Who is a neighbour of these rows (0 or 1), and c_ij per signal and head [S, H, R, N].

inline std::pair<torch::Tensor, torch::Tensor> dense_pairs(const ops::AttentionOperands& o,
                                                           std::int64_t signals,
                                                           const std::vector<std::int64_t>& rows) {
  const std::int64_t N = o.structure[0].size(0), H = o.receiver.size(-1),
                     R = static_cast<std::int64_t>(rows.size());
  std::vector<std::int64_t> place(N, -1);
  for (std::int64_t r = 0; r < R; ++r) place[rows[r]] = r;
  torch::Tensor neighbours = torch::zeros({R, N}, torch::kFloat64);
  torch::Tensor factors = torch::zeros({signals, H, R, N}, torch::kFloat64);
  const auto offsets = o.structure[1].accessor<std::int64_t, 1>();
  const auto cofaces = o.structure[2].accessor<std::int32_t, 1>();
  torch::Tensor mask =
      o.mask ? o.mask->to(torch::kFloat64).reshape({signals, -1, H})
             : torch::ones({signals, 1, H}, torch::kFloat64).expand({signals, cofaces.size(0) + N, H});
  const torch::Tensor signs = o.signs ? *o.signs : torch::ones({cofaces.size(0)}, torch::kInt8);
  const auto m = mask.accessor<double, 3>();
  const auto sign = signs.accessor<std::int8_t, 1>();
  auto near = neighbours.accessor<double, 2>();
  auto c = factors.accessor<double, 4>();
  for (std::int64_t f = 0; f + 1 < offsets.size(0); ++f) {
    for (std::int64_t a = offsets[f]; a < offsets[f + 1]; ++a) {
      const std::int64_t r = place[cofaces[a]];
      if (r < 0) continue;
      for (std::int64_t b = offsets[f]; b < offsets[f + 1]; ++b) {
        if (a == b) continue;
        near[r][cofaces[b]] = 1;
        for (std::int64_t s = 0; s < signals; ++s)
          for (std::int64_t h = 0; h < H; ++h) c[s][h][r][cofaces[b]] = m[s][b][h] * sign[a] * sign[b];
      }
    }
  }
  for (std::int64_t r = 0; r < R; ++r) {
    near[r][rows[r]] = 1;
    for (std::int64_t s = 0; s < signals; ++s)
      for (std::int64_t h = 0; h < H; ++h) c[s][h][r][rows[r]] = m[s][cofaces.size(0) + rows[r]][h];
  }
  return {neighbours, factors};
}

/// For these rows of y alone (all others have the gradient 0); several powers need all rows, in order.
inline DenseAttention dense_attention(const ops::AttentionOperands& o, const torch::Tensor& gradient,
                                      const std::vector<std::int64_t>& rows) {
  const std::int64_t N = o.taps.size(-3), P = o.taps.size(-2), H = o.receiver.size(-1),
                     F = o.taps.size(-1) / H;
  const std::int64_t signals = o.taps.numel() / (N * P * H * F);
  const auto wide = [&](const torch::Tensor& x, at::IntArrayRef sizes) {
    return x.detach().to(torch::kFloat64).reshape(sizes).contiguous().set_requires_grad(true);
  };
  const torch::Tensor taps = wide(o.taps, {signals, N, P, H, F}),
                      receiver = wide(o.receiver, {signals, N, H}), source = wide(o.source, {signals, N, H});
  const auto [near, factors] = dense_pairs(o, signals, rows);
  const torch::Tensor chosen = torch::tensor(at::ArrayRef<std::int64_t>(rows), torch::kInt64);
  const torch::Tensor score =
      torch::leaky_relu(receiver.index_select(1, chosen).permute({0, 2, 1}).unsqueeze(-1) +
                            source.permute({0, 2, 1}).unsqueeze(-2),
                        o.negative_slope);  // [S, H, R, N]
  const torch::Tensor A =
      score.masked_fill(near == 0, -std::numeric_limits<double>::infinity()).softmax(-1) * factors;
  const auto tap = [&](std::int64_t p) { return taps.select(2, p).permute({0, 2, 1, 3}); };  // [S, H, N, F]
  torch::Tensor y = tap(P - 1);
  for (std::int64_t p = P - 1; p > 0; --p) y = A.matmul(y) + tap(p - 1);
  if (o.first_power == 1) y = A.matmul(y);
  DenseAttention result;
  const torch::Tensor g = gradient.to(torch::kFloat64).reshape({signals, -1, H, F}).index_select(1, chosen);
  const torch::Tensor out = y.permute({0, 2, 1, 3});  // [S, R, H, F]
  const auto gradients =
      torch::autograd::grad({out}, {taps, receiver, source}, {g}, std::nullopt, false, true);
  const auto or_zero = [](const torch::Tensor& x, const torch::Tensor& like) {
    return x.defined() ? x : torch::zeros_like(like);
  };
  result.y = out.detach().reshape({signals, static_cast<std::int64_t>(rows.size()), H * F});
  result.taps = or_zero(gradients[0], taps).reshape(o.taps.sizes());
  result.receiver = or_zero(gradients[1], receiver).reshape(o.receiver.sizes());
  result.source = or_zero(gradients[2], source).reshape(o.source.sizes());
  result.sources = A.detach().abs().sum(-2).max().item<double>();
  return result;
}

}  // namespace gsan
