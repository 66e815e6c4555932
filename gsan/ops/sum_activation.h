#pragma once
// What ends a layer: y = σ(t_1 + … + t_n + bias), one pass over memory and one node of the graph.
//
// terms are at least one tensor of one shape [..., N, C], bias is [C] or undefined. σ by name: identity,
// relu, leaky_relu (slope 0.01), elu (α = 1), gelu, tanh, sigmoid, as torch defines them. The gradient of
// every term is the same tensor g σ', that of the bias its column sums. Differentiates any number of times.
//
// Registered as torch.ops.gsan.sum_activation for CPU, CUDA, Autograd and Meta, composed of torch's ops on
// any other device. float32 and float64; on a GPU also terms in bfloat16 with a bias in bfloat16 or float32.
// The bits do not depend on the number of threads.

#include <string_view>
#include <tuple>

#include <ATen/core/Tensor.h>

namespace gsan::ops {

at::Tensor sum_activation(at::TensorList terms, const at::Tensor& bias, std::string_view activation);

/// {g σ', its column sums [C]} for the result y, or of gelu, whose σ' is no function of it, for the argument;
/// without `bias` the second is empty, in bfloat16 it is float32. No gradient of its own.
std::tuple<at::Tensor, at::Tensor> sum_activation_backward(const at::Tensor& gradient, const at::Tensor& y,
                                                           std::string_view activation, bool bias);

/// σ(x) of any shape and type, the sum of one term. torch computes the ends of a thread's numbers by other
/// instructions than the rest; σ that is more than a choice goes through the blocks of sum_activation.
at::Tensor activation(const at::Tensor& x, std::string_view name);

}  // namespace gsan::ops
