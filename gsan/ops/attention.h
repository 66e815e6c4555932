#pragma once
// A whole term of attention with GAT scores (spec 3) as one op and one node of the graph: products, scores
// and all powers.
//
//   h_i = x_i W (all taps of a head side by side),   s_i = a[:D]·h_i,   t_i = a[D:]·h_i,
//   y = Σ_p A^{first_power + p} (x W_p)   with the operator A of ops/attention_powers.h, softmax or sigmoid
//
// Legend: as there; F_in features come in, D = P F, R rows of a mask (attention_powers.h).
//   x         [..., N, F_in]
//   weight    [F_in, P, H, F], float32 beside a bfloat16 x (on a GPU), like a and its gradient
//   a         [H, 2D], the half of the receiving simplex first
//   structure, signs   as in attention_powers.h. With signs the scores are those of |h|: then orientation
//             changes the sign of y alone (spec 3)
//   dropout   of the weights α: the op draws the mask that ops/pair_dropout.h describes
//
// Registered as torch.ops.gsan.attention, its passes as attention_forward and attention_backward, for every
// device: they are made of ops/tall_products.h and ops/attention_powers.h, which have kernels or compositions
// of their own. Meta gives shapes; what is kept over stars depends on their sizes, so
// that a gradient over stars cannot be traced, and says so.

#include <array>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

namespace gsan::ops {

/// The mask of attention dropout, as keys: drawn where it is used, and again where it was not kept.
struct AttentionDropout {
  /// {sources int32 [R], shared int32 [R], source_keys int32 [N], part_keys int32 [N], signal_keys int64 [B]}
  /// of ops/pair_dropout.h, for the R rows of a mask and B signals; empty without dropout.
  std::vector<at::Tensor> keys{};
  std::int64_t stream = 0;
  double p = 0;
};

/// What a filter is given besides the parameters of its scores.
struct AttentionFilter {
  at::Tensor x, weight;
  std::vector<at::Tensor> structure;
  AttentionDropout dropout{};
  std::optional<at::Tensor> signs{};
  std::int64_t first_power = 1;  ///< 0 or 1
  bool sigmoid = false;    ///< α_ij = 1/(1 + e^{−γ_ij}) in the place of the softmax (spec 9); pairs only
  bool recompute = false;  ///< keeps nothing but the operands for the backward pass, which computes twice
};

/// y [..., N, H·F]. Differentiable any number of times in x, weight and a; from the second on pair by pair,
/// which stores a few numbers per pair and head.
at::Tensor attention(const AttentionFilter& filter, const at::Tensor& a, double negative_slope);

/// {y}, or with `keep` {y, products [rows, P·H·F], scores [rows, 2H], the mask where there is dropout, and
/// what attention_powers keeps}. No gradient.
std::vector<at::Tensor> attention_forward(const AttentionFilter& filter, const at::Tensor& a,
                                          double negative_slope, bool keep);

/// Gradients in x, weight and a; an empty tensor for one that is not needed. `kept` is all that
/// attention_forward returned.
std::vector<at::Tensor> attention_backward(const at::Tensor& gradient, const AttentionFilter& filter,
                                           const at::Tensor& a, double negative_slope,
                                           const std::vector<at::Tensor>& kept, std::array<bool, 3> needs);

}  // namespace gsan::ops
