#pragma once
// What every backend of ops/attention.h checks first: types, devices and shapes, in O(1). Sizes are SymInt so
// that the same rules hold while torch.compile traces.

#include <vector>

#include <c10/core/SymInt.h>

#include "gsan/ops/attention.h"

namespace gsan::ops {

struct AttentionShape {
  c10::SymInt simplices, taps, heads, features;  ///< N, P, H, F
  bool stars;                                    ///< of the two forms of the structure

  /// How often the operator is applied: P − 1 + first_power.
  c10::SymInt applications;
};

AttentionShape check_attention(const char* who, const AttentionOperands& operands);

/// check_attention, gradient [..., N, H·F] and the tensors that attention_forward keeps (their shapes are
/// the kernel's own affair but for the first one, y).
AttentionShape check_attention_backward(const at::Tensor& gradient, const AttentionOperands& operands,
                                        const std::vector<at::Tensor>& kept);

}  // namespace gsan::ops
