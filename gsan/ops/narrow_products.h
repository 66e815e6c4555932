#pragma once
// Products of a tall matrix with a few columns, as the scores of attention and their gradients are: they move
// each number of x once and multiply little, far from what matrix products are tuned for. float32 and
// float64.
//
// Registered as torch.ops.gsan.narrow_product, narrow_gram and add_narrow_product_ with kernels for the CPU,
// where sums run over fixed blocks of rows, so that bits do not depend on the number of threads; torch's
// matrix products elsewhere. No gradient.
//
// Legend: x [rows, K] and y [rows, C], contiguous; v [K, C].

#include <ATen/core/Tensor.h>

namespace gsan::ops {

/// x v: [rows, C].
at::Tensor narrow_product(const at::Tensor& x, const at::Tensor& v);

/// xᵀ y: [K, C].
at::Tensor narrow_gram(const at::Tensor& x, const at::Tensor& y);

/// x += y vᵀ, in place.
void add_narrow_product(const at::Tensor& x, const at::Tensor& y, const at::Tensor& v);

}  // namespace gsan::ops
