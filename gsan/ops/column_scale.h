#pragma once
// Learned numbers of the columns, behind a normalisation or in front of a simplex's own signal.

#include <optional>

#include <ATen/core/Tensor.h>

namespace gsan::ops {

/// x weight + bias: x is [..., rows, columns], weight and bias, which may be left out, [columns] each. The
/// gradients of these two are made of ops/column_sums.h, whose bits do not depend on the number of threads.
/// Differentiates twice.
at::Tensor column_scale(const at::Tensor& x, const at::Tensor& weight,
                        const std::optional<at::Tensor>& bias = std::nullopt);

}  // namespace gsan::ops
