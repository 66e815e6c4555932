#pragma once
// The pairwise kernel of ops/attention_powers.h: sums over the pairs of each row.

#include "gsan/ops/attention_powers.h"

namespace gsan::ops {

/// As attention_powers() for a structure of pairs; the operands have been checked but for the tables'
/// entries, every one of which is checked before it is used.
std::vector<at::Tensor> pair_attention_forward(const AttentionOperands& operands, bool keep);

/// As attention_powers_backward() for a structure of pairs.
std::vector<at::Tensor> pair_attention_backward(const at::Tensor& gradient, const AttentionOperands& operands,
                                                const std::vector<at::Tensor>& kept);

}  // namespace gsan::ops
