#include "gsan/nn/batch_norm.h"

#include <ostream>

#include "gsan/core/check.h"

namespace gsan {

BatchNormImpl::BatchNormImpl(int channels) : torch::nn::Module("gsan::BatchNorm") {
  GSAN_CHECK(channels >= 1, "BatchNorm: channels must be at least 1, got ", channels);
  weight = register_parameter("weight", torch::empty({channels}));
  bias = register_parameter("bias", torch::empty({channels}));
  running_mean = register_buffer("running_mean", torch::empty({channels}));
  running_var = register_buffer("running_var", torch::empty({channels}));
  reset_parameters();
}

Tensor BatchNormImpl::forward(const Tensor& x) const {
  GSAN_CHECK(x.dim() >= 2 && x.size(-1) == weight.size(0), "BatchNorm: x must be [..., N, ", weight.size(0),
             "], got ", x.sizes());
  if (x.numel() == 0) return x;
  const Tensor rows = x.reshape({-1, x.size(-1)});
  const bool from_batch = is_training() && rows.size(0) >= 2;
  return torch::batch_norm(rows, weight, bias, running_mean, running_var, from_batch, /*momentum=*/0.1,
                           /*eps=*/1e-5, /*cudnn_enabled=*/true)
      .view(x.sizes());
}

void BatchNormImpl::reset_parameters() {
  const torch::NoGradGuard no_grad;
  weight.fill_(1);
  bias.zero_();
  running_mean.zero_();
  running_var.fill_(1);
}

void BatchNormImpl::pretty_print(std::ostream& stream) const {
  stream << "gsan::BatchNorm(" << weight.size(0) << ")";
}

}  // namespace gsan
