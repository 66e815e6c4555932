#pragma once
// The learned metric of GSAN-Hodge (spec 6): a positive weight e^{g} per simplex and head, and the
// boundary operators that it turns B_k into.

#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>

#include "gsan/hodge/incidence.h"
#include "gsan/nn/initialization.h"

namespace gsan {

struct LearnedMetricOptions {
  int in_channels = 1;
  int hidden_channels = 1;
  int heads = 1;
  double negative_slope = 0.2;
  bool uniform_start = false;  ///< W2 = 0 at first
  bool mean_one = false;       ///< weights e^g of an order have mean 1, not sum 1
  double bound = 0;            ///< c: c·tanh(MLP/c) in the place of MLP; 0 = none
  Initialization initialization = Initialization::xavier_uniform;
};

/// g of one order: log softmax over the simplices of one complex of MLP(z), MLP = Linear → LReLU → Linear;
/// the options change its scale. A g lies at most 20 below the largest of its complex: smaller ones are set
/// to that floor, without gradient, so that float32 holds powers up to 4 of the weighted Laplacian.
class LearnedMetricImpl : public torch::nn::Cloneable<LearnedMetricImpl> {
 public:
  explicit LearnedMetricImpl(const LearnedMetricOptions& options);

  void reset() override;
  void reset_parameters(const RandomStream& stream);

  /// z [..., N, F_in], the complexes of a batch as int64 [P + 1] offsets → g [..., N, H].
  Tensor forward(const Tensor& z, const Tensor& part_offsets) const;

  LearnedMetricOptions options;
  Tensor W1, b1;  ///< [F_in, H, hidden], [H, hidden]
  Tensor W2, b2;  ///< [H, hidden], [H]
};
TORCH_MODULE(LearnedMetric);

/// B_W,k = (k+1)^{−1/2} G_{k−1}^{1/2} B_k G_k^{−1/2} with G = diag(e^g): still B_W,k B_W,k+1 = 0.
/// `lower` and `upper` are g of orders k − 1 and k, [..., N, H]; every head has its own operator on its
/// block of features.
Incidence weighted_incidence(const Incidence& B, const Tensor& lower, const Tensor& upper);

}  // namespace gsan
