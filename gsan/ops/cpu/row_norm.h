#pragma once
// The passes of ops/row_norm.h over matrices on the CPU: contiguous, of float or double.

#include <ATen/core/Tensor.h>

namespace gsan::ops {

struct RowNormed {
  at::Tensor y, scale;  // scale [2, C]: mean and 1 / √(variance + epsilon) of the rows, float64
};

/// Moves the running statistics, too.
RowNormed row_norm_cpu(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                       const at::Tensor& running_mean, const at::Tensor& running_var, double momentum,
                       double epsilon);

struct RowNormGradients {
  at::Tensor of_x, of_weight, of_bias;  // of_x undefined where it is not asked for
};

RowNormGradients row_norm_backward_cpu(const at::Tensor& g, const at::Tensor& x, const at::Tensor& weight,
                                       const at::Tensor& scale, bool needs_x);

}  // namespace gsan::ops
