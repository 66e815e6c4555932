#pragma once
// ops/attention_powers.h over stars, on a GPU; checked operands that are not trivial.

#include "gsan/ops/attention_powers.h"

namespace gsan::ops::cuda {

std::vector<at::Tensor> star_attention_forward(const AttentionOperands& operands, bool keep);
std::vector<at::Tensor> star_attention_backward(const at::Tensor& gradient, const AttentionOperands& operands,
                                                const std::vector<at::Tensor>& kept);

}  // namespace gsan::ops::cuda
