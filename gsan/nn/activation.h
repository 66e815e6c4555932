#pragma once
// The nonlinearity σ of a layer.

#include <torch/types.h>

#include "gsan/core/options.h"

namespace gsan {

using torch::Tensor;

enum class Activation { identity, relu, leaky_relu, elu, gelu, tanh, sigmoid };

template <>
struct EnumNames<Activation> {
  static constexpr std::pair<Activation, std::string_view> names[] = {
      {Activation::identity, "identity"}, {Activation::relu, "relu"}, {Activation::leaky_relu, "leaky_relu"},
      {Activation::elu, "elu"},           {Activation::gelu, "gelu"}, {Activation::tanh, "tanh"},
      {Activation::sigmoid, "sigmoid"}};
};

/// σ(x), entry by entry; leaky_relu has slope 0.01, elu has α = 1.
Tensor activate(Activation activation, const Tensor& x);

/// σ(−x) = −σ(x): what orientation equivariance asks of σ (spec 8).
bool is_odd(Activation activation);

}  // namespace gsan
