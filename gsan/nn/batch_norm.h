#pragma once
// Batch normalisation (Ioffe, Szegedy, ICML 2015) of features over all rows.

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

namespace gsan {

using torch::Tensor;

/// As torch.nn.BatchNorm1d with momentum 0.1: `weight`, `bias`, and the buffers `running_mean` and
/// `running_var` that evaluation uses. A training batch of fewer than two rows has no variance: there the
/// running statistics stand in, and stay as they are.
class BatchNormImpl : public torch::nn::Module {
 public:
  explicit BatchNormImpl(int channels);

  Tensor forward(const Tensor& x) const;  ///< [..., channels] → the same
  void reset_parameters();                ///< weight 1, bias 0, mean 0, variance 1
  void pretty_print(std::ostream& stream) const override;

  Tensor weight, bias, running_mean, running_var;
};
TORCH_MODULE(BatchNorm);

}  // namespace gsan
