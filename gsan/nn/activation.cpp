#include "gsan/nn/activation.h"

namespace gsan {

Tensor activate(Activation activation, const Tensor& x) {
  switch (activation) {
    case Activation::identity:
      return x;
    case Activation::relu:
      return torch::relu(x);
    case Activation::leaky_relu:
      return torch::leaky_relu(x, 0.01);
    case Activation::elu:
      return torch::elu(x);
    case Activation::gelu:
      return torch::gelu(x);
    case Activation::tanh:
      return torch::tanh(x);
    case Activation::sigmoid:
      return torch::sigmoid(x);
  }
  fail(Fault::argument, "activate: unknown activation ", static_cast<int>(activation));
}

bool is_odd(Activation activation) {
  return activation == Activation::identity || activation == Activation::tanh;
}

}  // namespace gsan
