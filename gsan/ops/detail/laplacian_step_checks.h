#pragma once
// What every backend of laplacian_step checks first, in O(1); and how it is called through the dispatcher.

#include <optional>

#include <ATen/core/Tensor.h>

namespace gsan::ops {

using LaplacianStepSignature = at::Tensor(const at::Tensor& x, const std::optional<at::Tensor>& base,
                                          at::TensorList lower, at::TensorList upper, double alpha,
                                          double beta, const std::optional<at::Tensor>& row_alpha,
                                          const std::optional<at::Tensor>& row_beta, std::int64_t steps,
                                          bool absolute);

/// Throws unless the arguments of ops/laplacian_step.h fit together.
void check_laplacian_step(const at::Tensor& x, const std::optional<at::Tensor>& base, at::TensorList lower,
                          at::TensorList upper, const std::optional<at::Tensor>& row_alpha,
                          const std::optional<at::Tensor>& row_beta, std::int64_t steps);

LaplacianStepSignature laplacian_step_call;

}  // namespace gsan::ops
