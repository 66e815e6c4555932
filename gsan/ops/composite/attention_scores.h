#pragma once
// The scores s = h a_1 and t = h a_2 of every head, from x, the weights and a of ops/attention.h.

#include <ATen/core/Tensor.h>
#include <ATen/ops/bmm.h>

#include "gsan/ops/attention.h"
#include "gsan/ops/pair_dropout.h"

namespace gsan::ops {

/// h are the stacked products x W, [rows, H, D]; the scores are made as x (W a) without touching h, or from
/// |h| where orientation must not matter. Legend: A_h [H, D, 2] is a; W_h [H, F_in, D].
struct AttentionScores {
  const at::Tensor &weight, &a;  // [F_in, P, H, F], [H, 2D]
  std::int64_t heads = weight.size(2), width = weight.size(1) * weight.size(3);

  at::Tensor vectors() const { return a.reshape({heads, 2, width}).transpose(1, 2); }
  at::Tensor weight_by_head() const {
    return weight.permute({2, 0, 1, 3}).reshape({heads, weight.size(0), width});
  }
  /// [H, F_in or rows, 2] ↔ [F_in or rows, 2H]
  at::Tensor side_by_side(const at::Tensor& by_head) const {
    return by_head.permute({1, 2, 0}).reshape({by_head.size(1), 2 * heads});
  }
  at::Tensor by_head(const at::Tensor& scores) const {
    return scores.view({scores.size(0), 2, heads}).permute({2, 0, 1});
  }
  /// Shapes of W and a from those by head.
  at::Tensor as_weight(const at::Tensor& of_heads, std::int64_t rows) const {
    return of_heads.view({heads, rows, weight.size(1), weight.size(3)}).permute({1, 2, 0, 3});
  }
  at::Tensor as_a(const at::Tensor& of_heads) const { return of_heads.transpose(1, 2).reshape(a.sizes()); }
  /// W a, which makes the scores of x: [F_in, 2H].
  at::Tensor projection() const { return side_by_side(at::bmm(weight_by_head(), vectors())); }
  /// |h| of the products [rows, P·H·F]: [H, rows, D].
  at::Tensor features_by_head(const at::Tensor& products) const {
    return products.abs()
        .to(weight.scalar_type())
        .view({products.size(0), weight.size(1), heads, weight.size(3)})
        .permute({2, 0, 1, 3})
        .reshape({heads, products.size(0), width});
  }
};

/// The mask of a filter [..., R, H], or nothing without dropout.
inline std::optional<at::Tensor> attention_mask(const AttentionFilter& f) {
  if (f.dropout.p == 0) return std::nullopt;
  const auto& keys = f.dropout.keys;
  const std::int64_t heads = f.weight.size(2);
  const at::Tensor drawn = pair_dropout_mask(keys[0], keys[1], keys[2], keys[3], keys[4], f.dropout.stream,
                                             f.dropout.p, heads, f.weight.scalar_type());
  std::vector<std::int64_t> sizes = f.x.sizes().slice(0, f.x.dim() - 2).vec();
  sizes.insert(sizes.end(), {keys[0].size(0), heads});
  return drawn.view(sizes);
}

}  // namespace gsan::ops
