#pragma once
// What every backend of ops/score_projection.h checks first: types, devices and shapes, in O(1).

#include <optional>

#include <ATen/core/Tensor.h>

namespace gsan::ops {

void check_score_projection(const at::Tensor& weight, const at::Tensor& a);
void check_score_projection_backward(const std::optional<at::Tensor>& of_weight, const at::Tensor& gradient,
                                     const at::Tensor& weight, const at::Tensor& a);

}  // namespace gsan::ops
