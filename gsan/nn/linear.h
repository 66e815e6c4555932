#pragma once
// x Wᵀ + b on the last dimension.

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "gsan/core/random.h"

namespace gsan {

using torch::Tensor;

/// Parameters as in torch.nn.Linear: `weight` [out, in] and, if asked for, `bias` [out].
/// First values: Xavier uniform weights, zero bias.
class LinearImpl : public torch::nn::Module {
 public:
  LinearImpl(int in_channels, int out_channels, bool bias, const RandomStream& stream);

  Tensor forward(const Tensor& x) const;  ///< [..., in] → [..., out]
  void reset_parameters(const RandomStream& stream);
  void pretty_print(std::ostream& stream) const override;

  Tensor weight, bias;  // bias undefined: none
};
TORCH_MODULE(Linear);

}  // namespace gsan
