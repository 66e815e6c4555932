#pragma once
// The small matrices between the parameters of ops/attention.h and its scores: W a, by which x makes the
// scores without the products, and its gradient.
//
//   weight      [F_in, P, H, F]
//   a           [H, 2D], D = P F
//   projection  [F_in, 2H]: column c H + h is Σ_d W_{·, d of head h} a_{h, c D + d}
//
// Registered as torch.ops.gsan.score_projection and score_projection_backward_: torch's products, and one
// launch each on a GPU, where many small ones cost more than what they compute. float32 and float64. No
// gradient.

#include <ATen/core/Tensor.h>

namespace gsan::ops {

at::Tensor score_projection(const at::Tensor& weight, const at::Tensor& a);

/// The gradient in a, for that of the projection; the one in the weight is added to `of_weight` [F_in, P, H,
/// F], contiguous, unless that is undefined.
at::Tensor score_projection_backward(const at::Tensor& of_weight, const at::Tensor& gradient,
                                     const at::Tensor& weight, const at::Tensor& a);

}  // namespace gsan::ops
