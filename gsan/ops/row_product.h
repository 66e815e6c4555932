#pragma once
// x W + b for many rows, by ops/tall_products.h: on the CPU the gradient of W, a sum over all rows, runs over
// fixed blocks of them, so that its bits do not depend on the threads, as those of torch's product do on some
// processors.

#include <ATen/core/Tensor.h>

namespace gsan::ops {

/// x [..., K], weight [K, C], bias [C] or undefined: [..., C]. As torch's linear() with the weight
/// transposed, differentiable any number of times.
at::Tensor row_product(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias = {});

}  // namespace gsan::ops
