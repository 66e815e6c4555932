#include "gsan/nn/activation.h"

#include "gsan/ops/sum_activation.h"

namespace gsan {

Tensor activate(Activation activation, const Tensor& x) { return ops::activation(x, name_of(activation)); }

bool is_odd(Activation activation) {
  return activation == Activation::identity || activation == Activation::tanh;
}

}  // namespace gsan
