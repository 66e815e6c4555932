#pragma once
// Sums over neighbour pairs, on raw tables (tensors in, tensors out).
//
// A pair list is a sparse matrix pattern in rows: row i (the receiving simplex) owns the pairs
// offsets[i] … offsets[i+1] − 1, pair e has the source simplex sources[e]. The pattern is
// symmetric, (i, j) is a pair exactly when (j, i) is one, and mirror[e] is the number of that pair:
// a transposed sum walks the same rows, so no result needs atomics or a second list.
//
// Legend: N simplices, E pairs, H heads, F features per head; leading dimensions "…" are signals on
// one complex and are the same in all arguments.
//   offsets  int64 [N+1]
//   sources  int32 [E]
//   mirror   int32 or int64 [E]
//
// Registered as torch.ops.gsan.* for CPU, CUDA, Autograd and Meta; composed of index_select and
// index_add elsewhere. float32 and float64. A row without pairs gets zeros. Types, devices and shapes
// are checked in O(1); on the CPU every index is checked before it is used, so that a table that is
// none is an error, never a wild read. That mirror inverts the list is trusted, on a GPU all of the tables
// are; pairs behind the last offset, with which a batch may be padded, get zeros there. Rows are summed in
// a fixed order: the bits do not depend on threads.
// All but gatv2_scores differentiate any number of times (their gradients are ops of this page).

#include <tuple>

#include <ATen/core/Tensor.h>

namespace gsan::ops {

/// e ↦ receiver_i + source_j:  [..., N, H] ×2 → [..., E, H]. (scores of `gat` before LReLU)
at::Tensor pair_sum(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& offsets,
                    const at::Tensor& sources, const at::Tensor& mirror);

/// e ↦ ⟨receiver_i, source_j⟩ per head:  [..., N, H, F] ×2 → [..., E, H]. (scores of `dot` before 1/√d,
/// and the gradient of weighted_gather in its weights)
at::Tensor pair_dot(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& offsets,
                    const at::Tensor& sources, const at::Tensor& mirror);

/// e ↦ v · LReLU(receiver_i + source_j) per head:  [..., N, H, D] ×2, v [H, D] → [..., E, H]; nothing of
/// size E·D is stored, forward or backward. Differentiable once. LReLU has the slope
/// `negative_slope` below zero; at exactly zero its derivative is taken as `negative_slope`.
at::Tensor gatv2_scores(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& v,
                        const at::Tensor& offsets, const at::Tensor& sources, const at::Tensor& mirror,
                        double negative_slope);

/// Gradients of gatv2_scores in receiver, source and v for the output's gradient [..., E, H].
std::tuple<at::Tensor, at::Tensor, at::Tensor> gatv2_scores_backward(
    const at::Tensor& gradient, const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& v,
    const at::Tensor& offsets, const at::Tensor& sources, const at::Tensor& mirror, double negative_slope);

/// y_i = Σ_e weights_e x_{sources[e]} over the pairs e of row i, per head:
/// weights [..., E, H], x [..., N, H, F] → [..., N, H, F].
/// `transposed` uses the weights of the mirrored pairs: y_j = Σ_i weights_(i,j) x_i.
at::Tensor weighted_gather(const at::Tensor& weights, const at::Tensor& x, const at::Tensor& offsets,
                           const at::Tensor& sources, const at::Tensor& mirror, bool transposed = false);

}  // namespace gsan::ops
