#include "gsan/nn/linear.h"

#include <ostream>

#include "gsan/core/check.h"
#include "gsan/nn/initialization.h"
#include "gsan/nn/signals.h"
#include "gsan/ops/row_product.h"

namespace gsan {

LinearImpl::LinearImpl(int in_channels, int out_channels, bool with_bias, const RandomStream& stream)
    : torch::nn::Module("gsan::Linear") {
  GSAN_CHECK(in_channels >= 1 && out_channels >= 1, "Linear: widths must be at least 1, got ", in_channels,
             " in and ", out_channels, " out");
  weight = register_parameter("weight", torch::empty({out_channels, in_channels}));
  if (with_bias) bias = register_parameter("bias", torch::empty({out_channels}));
  reset_parameters(stream);
}

Tensor LinearImpl::forward(const Tensor& x) const {
  GSAN_CHECK(x.dim() >= 1 && x.size(-1) == weight.size(1), "Linear: x must have ", weight.size(1),
             " features, got ", x.sizes());
  GSAN_CHECK(has_type_of(weight, x), "Linear: x is ", x.scalar_type(), ", the weight is ",
             weight.scalar_type(), "; convert one of them with to()");
  return ops::row_product(x, weight.t(), bias);
}

void LinearImpl::reset_parameters(const RandomStream& stream) {
  initialize(weight, Initialization::xavier_uniform, weight.size(1), weight.size(0), 1,
             stream.substream("weight"));
  const torch::NoGradGuard no_grad;
  if (bias.defined()) bias.zero_();
}

void LinearImpl::pretty_print(std::ostream& stream) const {
  stream << "gsan::Linear(" << weight.size(1) << ", " << weight.size(0)
         << (bias.defined() ? ")" : ", bias=false)");
}

}  // namespace gsan
