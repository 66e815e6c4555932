#pragma once
// What every backend of sum_activation checks first, and σ and σ' in torch's own ops.

#include <optional>
#include <string_view>

#include <ATen/core/Tensor.h>

namespace gsan::ops {

enum class Nonlinearity { identity, relu, leaky_relu, elu, gelu, tanh, sigmoid };

constexpr double leaky_slope = 0.01;

/// An error that lists the names when it is none of them.
Nonlinearity nonlinearity(std::string_view name);

Nonlinearity check_sum_activation(at::TensorList terms, const std::optional<at::Tensor>& bias,
                                  std::string_view activation);
Nonlinearity check_sum_activation_backward(const at::Tensor& gradient, const at::Tensor& y,
                                           std::string_view activation);

/// float32 for a result in bfloat16, which could not hold sums over many rows; else the type of the result.
inline at::ScalarType type_of_bias_gradient(const at::Tensor& y) {
  return y.scalar_type() == at::kBFloat16 ? at::kFloat : y.scalar_type();
}

/// σ(x).
at::Tensor activated(Nonlinearity activation, const at::Tensor& x);

/// g σ' at the result y, of gelu at the argument; differentiable in both.
at::Tensor activation_gradient(Nonlinearity activation, const at::Tensor& g, const at::Tensor& y);

at::Tensor sum_activation_call(at::TensorList terms, const std::optional<at::Tensor>& bias,
                               std::string_view activation);

}  // namespace gsan::ops
