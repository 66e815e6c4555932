#include "gsan/nn/norm.h"

#include "gsan/ops/column_scale.h"

namespace gsan {
namespace {

constexpr double epsilon = 1e-5;  // as torch's LayerNorm

}  // namespace

NormImpl::NormImpl(NormKind kind, int channels) : torch::nn::Module("Norm"), kind_(kind) {
  weight_ = register_parameter("weight", torch::ones({channels}));
  if (kind_ == NormKind::layer) bias_ = register_parameter("bias", torch::zeros({channels}));
}

void NormImpl::reset_parameters() {
  const torch::NoGradGuard no_grad;
  weight_.fill_(1);
  if (bias_.defined()) bias_.zero_();
}

Tensor NormImpl::forward(const Tensor& x) const {
  if (kind_ == NormKind::layer)
    return ops::column_scale(torch::layer_norm(x, weight_.sizes(), {}, {}, epsilon), weight_, bias_);
  return ops::column_scale(x * (x.square().mean(-1, /*keepdim=*/true) + epsilon).rsqrt(), weight_);
}

}  // namespace gsan
