#pragma once
// The kernels behind ops/attention.h: a filter of the attentional operator with GAT scores (spec 3), all
// powers in one op, nothing of the size of the pairs returned.
//
//   α_ij = softmax over j ∈ N_i of γ_ij = LReLU(s_i + t_j),   A_ij = α_ij c_ij,   y = Σ_p A^{first_power + p}
//   taps_p
//
// or, with `sigmoid`, α_ij = 1/(1 + e^{−γ_ij}): every neighbour by itself (spec 9), over pairs alone;
// by Horner; scores, and on the CPU up to 4 MiB the weights A_ij of a list of pairs, are made once. c_ij is
// the dropout mask times the sign of the pair, 1 without them. i itself is one of its neighbours, once.
//
// Legend: N simplices, H heads, F features per head, P taps; leading dimensions "…" are signals on one
// complex and the same in all arguments. float32 and float64; on a GPU taps may be bfloat16: then scores,
// mask and state are float32, and so are all sums.
//   taps      [..., N, P, H·F]   the stacked products X W as one matrix product gives them; rows may be
//                                strided
//   receiver  [..., N, H]        s
//   source    [..., N, H]        t
//   structure who is a neighbour, in one of two forms, which chooses the kernel:
//     pairs   {offsets int64 [N+1], sources int32 [E], mirror int32|int64 [E]} as in ops/pairs.h; mirror is
//             needed with a mask only, else {offsets, sources} will do. Cost O(E (F + 1)).
//     stars   {faces int32 [N, w], offsets int64 [M+1], cofaces int32 [N·w], columns uint8 [N·w]} as in
//             ops/incidence.h: neighbours are those that share one of the M faces, and two simplices share at
//             most one. Cost on the CPU O(N w (F + log d)), whatever the sizes d of the stars.
//   mask      of the scores' type. Pairs: [..., E, H]; stars: [..., N·w + N, H], for entry e of `cofaces`
//             the factor of its simplex as a source in that star, then the factors of the self
//             terms.
//   signs     pairs: int8 [E], symmetric; stars: int8 [N·w], one per entry of `cofaces`, a pair has the
//             product of its two. The self term has the sign +1.
//
// Registered as torch.ops.gsan.attention_powers and attention_powers_backward for CPU, CUDA and Meta
// (backward: for pairs); on any other device composed of torch's ops on some pairs at a time, stars as the
// pairs that they hold. No gradient: that of ops/attention.h is made of the backward op.
//
// On the CPU bits do not depend on the number of threads, on a GPU they are the same in every run. A
// non-finite number makes every row that attends to it non-finite. LReLU has the slope `negative_slope` for
// scores ≤ 0.

#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

namespace gsan::ops {

struct AttentionOperands {
  at::Tensor taps, receiver, source;
  std::vector<at::Tensor> structure;
  std::optional<at::Tensor> mask, signs;
  std::int64_t first_power = 1;  ///< 0 or 1
  double negative_slope = 0.2;
  bool sigmoid = false;  ///< in the place of the softmax
};

/// {y [..., N, H·F]}, or with `keep` {y, and what attention_powers_backward() needs besides the operands}:
/// over pairs, for A = P − 1 + first_power applications of the operator,
///   state    [..., N, H, 4]         s, M, 1/Z and ±zu of each row: M ≥ max_j γ_ij, Z = Σ_j e^{γ_ij − M},
///                                   and the share zu of Z of the branch with the smaller one
///                                   (s_i + t_j > 0: plus, its sign is +; else minus)
///   results  [A − 1, ..., N, H·F]   of all applications but the last
///   u        [A, ..., N, H·F]       what that branch adds to each row of each application; not set
///                                   where zu = 0
/// With `sigmoid` the state is {s, 0, 0, 1}, and u_i = Σ_j LReLU'(s_i + t_j) α_ij (1 − α_ij) c_ij x_j.
std::vector<at::Tensor> attention_powers(const AttentionOperands& operands, bool keep);

/// Gradients in taps (shaped as taps, contiguous), receiver and source, for the gradient of y. `kept` is all
/// that attention_powers returned.
std::vector<at::Tensor> attention_powers_backward(const at::Tensor& gradient,
                                                  const AttentionOperands& operands,
                                                  const std::vector<at::Tensor>& kept);

}  // namespace gsan::ops
