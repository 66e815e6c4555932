#pragma once
// Factors per row and group of features: a signal [..., N, F] whose F features fall into H groups of
// F/H consecutive ones (the heads of a layer), each with its own factors.

#include <torch/types.h>

namespace gsan {

using torch::Tensor;

/// diag(factors) x per group: x [..., N, F], factors [N], or [..., N, H] with F a multiple of H. N of the
/// factors may be 1 (one factor for all rows); leading dimensions broadcast against those of x.
/// Differentiable in both. `who` opens the message of an error.
Tensor scale_features(const char* who, const Tensor& x, const Tensor& factors);

/// Throws unless the dimensions before the last two of a and b broadcast.
void check_leading_dimensions(const char* who, const Tensor& a, const Tensor& b);

}  // namespace gsan
