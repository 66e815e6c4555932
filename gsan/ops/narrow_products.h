#pragma once
// Products of a tall matrix with a few columns, as the scores of attention and their gradients are: they move
// each number of x once and multiply little, far from what matrix products are tuned for. float32 and
// float64; on a GPU also x in bfloat16 with all others in float32.
//
// Registered as torch.ops.gsan.narrow_product, narrow_gram, tall_gram and add_narrow_product_ with kernels
// for CUDA, where sums run over fixed blocks of rows; torch's matrix products elsewhere. The CPU makes all of
// them in one pass: tall_products.h. No gradient.
//
// Legend: x [rows, K] and y [rows, C], contiguous; v [K, C].

#include <ATen/core/Tensor.h>

namespace gsan::ops {

/// x v: [rows, C].
at::Tensor narrow_product(const at::Tensor& x, const at::Tensor& v);

/// xᵀ y: [K, C].
at::Tensor narrow_gram(const at::Tensor& x, const at::Tensor& y);

/// xᵀ y: [K, C] for y as narrow as x, each some tens of columns; on a GPU both may be in bfloat16.
at::Tensor tall_gram(const at::Tensor& x, const at::Tensor& y);

/// x += y vᵀ, in place.
void add_narrow_product(const at::Tensor& x, const at::Tensor& y, const at::Tensor& v);

}  // namespace gsan::ops
