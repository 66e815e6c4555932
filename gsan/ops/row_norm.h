#pragma once
// Batch normalisation of a training batch. On the CPU sums over rows run over fixed blocks of them, in
// float64: the bits do not depend on the number of threads, as those of torch's do.

#include <ATen/core/Tensor.h>

namespace gsan::ops {

/// x [n, C] → (x − mean) / √(variance + epsilon) · weight + bias, [C] each, with the mean and the variance of
/// the rows, of which there are at least two. The running statistics move towards them by `momentum`. As
/// torch.nn.functional.batch_norm(training=True), which it is where there is no kernel, and where gradients
/// are differentiated in turn. Differentiates twice.
at::Tensor row_norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                    const at::Tensor& running_mean, const at::Tensor& running_var, double momentum,
                    double epsilon);

}  // namespace gsan::ops
