#pragma once
// What every backend of ops/attention.h and ops/attention_powers.h checks first: types, devices and shapes,
// in O(1). Sizes are SymInt so that the same rules hold while torch.compile traces.

#include <optional>
#include <vector>

#include <c10/core/SymInt.h>

#include "gsan/ops/attention.h"
#include "gsan/ops/attention_powers.h"

namespace gsan::ops {

struct AttentionShape {
  c10::SymInt simplices, taps, heads, features;  ///< N, P, H, F
  bool stars;                                    ///< of the two forms of the structure

  /// How often the operator is applied: P − 1 + first_power.
  c10::SymInt applications;
};

AttentionShape check_attention_powers(const char* who, const AttentionOperands& operands);

/// check_attention_powers, gradient [..., N, H·F] and the tensors that attention_powers keeps (their shapes
/// are the kernel's own affair but for the first one, y).
AttentionShape check_attention_powers_backward(const at::Tensor& gradient, const AttentionOperands& operands,
                                               const std::vector<at::Tensor>& kept);

/// Without rows, features or applications there is nothing that a kernel could do: then what both ops return.
std::optional<std::vector<at::Tensor>> trivial_attention_powers(const AttentionOperands& operands,
                                                                const AttentionShape& shape);
std::optional<std::vector<at::Tensor>> trivial_attention_powers_backward(const at::Tensor& gradient,
                                                                         const AttentionOperands& operands,
                                                                         const AttentionShape& shape);

/// The leading dimensions of taps [..., N, P, H·F] between `first`, where it is given, and `last`.
inline c10::DimVector leading_sizes(const at::Tensor& taps, std::initializer_list<std::int64_t> last,
                                    std::optional<std::int64_t> first = {}) {
  c10::DimVector sizes;
  if (first) sizes.push_back(*first);
  sizes.append(taps.sizes().begin(), taps.sizes().end() - 3);
  sizes.append(last.begin(), last.end());
  return sizes;
}

/// x, weight, a and the keys of a mask; the rest is checked by attention_powers.
void check_attention(const char* who, const AttentionFilter& filter, const at::Tensor& a);

/// check_attention, gradient [..., N, H·F] and how many tensors were kept.
void check_attention_backward(const at::Tensor& gradient, const AttentionFilter& filter, const at::Tensor& a,
                              const std::vector<at::Tensor>& kept);

/// Where the tensors that attention_forward keeps begin those that attention_powers kept besides y.
inline std::size_t first_kept_of_powers(const AttentionFilter& filter) {
  return filter.dropout.p > 0 ? 4 : 3;
}

}  // namespace gsan::ops
