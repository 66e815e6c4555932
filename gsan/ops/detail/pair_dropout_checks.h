#pragma once
// What every backend of the dropout mask checks first, and the rule by which a word is kept.

#include <cmath>
#include <cstdint>

#include <ATen/core/Tensor.h>

namespace gsan::ops {

/// Types, devices and shapes in O(1), 0 ≤ p < 1 and heads ≥ 0.
void check_pair_dropout(const at::Tensor& sources, const at::Tensor& shared_keys,
                        const at::Tensor& source_keys, const at::Tensor& part_keys,
                        const at::Tensor& signal_keys, double p, std::int64_t heads, at::ScalarType type);

/// word ≥ p · 2^32 for a 32-bit word exactly when word ≥ this.
inline std::int64_t smallest_kept_word(double p) { return static_cast<std::int64_t>(std::ceil(p * 0x1p32)); }

}  // namespace gsan::ops
