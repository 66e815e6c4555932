#pragma once
// The factored kernel of ops/attention.h: sums over stars by sorting each star once, for hubs.

#include "gsan/ops/attention.h"

namespace gsan::ops {

/// As attention_forward() for a structure of stars; the operands have been checked but for the tables'
/// entries, every one of which is checked before it is used.
std::vector<at::Tensor> star_attention_forward(const AttentionOperands& operands, bool keep);

/// As attention_backward() for a structure of stars.
std::vector<at::Tensor> star_attention_backward(const at::Tensor& gradient, const AttentionOperands& operands,
                                                const std::vector<at::Tensor>& kept);

}  // namespace gsan::ops
