#pragma once
// x W + b for many rows. The gradient of W is a sum over all of them, which torch's product divides as the
// number of threads suggests on some processors; here it is one over fixed blocks of rows on the CPU, so that
// its bits do not depend on the threads.

#include <ATen/core/Tensor.h>

namespace gsan::ops {

/// x [..., K], weight [K, C], bias [C] or undefined: [..., C]. As torch's linear() with the weight
/// transposed, differentiable any number of times.
at::Tensor row_product(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias = {});

}  // namespace gsan::ops
