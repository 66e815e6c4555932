#pragma once
// Inputs in units of their own spread: y = (x − mean)/scale per order and feature. The numbers are measured
// once, on the training set, and kept with the weights.

#include <functional>
#include <vector>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "gsan/hodge/operators.h"

namespace gsan {

class InputScalerImpl : public torch::nn::Module {
 public:
  /// Features of each order; 0 = none. Until fit() the scaler changes nothing.
  InputScalerImpl(const std::vector<int>& channels, bool subtracts_mean);

  /// Undefined signals stay undefined.
  Cochains forward(const Cochains& signals) const;

  /// `visit` hands every batch of signals to its argument; called twice: means first, then distances from
  /// them, summed in float64 in the order of the visits. A feature that never varies stays as it is. Signals
  /// that are not finite are Fault::numeric.
  void fit(const std::function<void(const std::function<void(const Cochains&)>&)>& visit);

 private:
  bool subtracts_mean_;
  std::vector<Tensor> mean_, scale_;  // buffers mean_K, scale_K: [channels], undefined where there are none
};
TORCH_MODULE(InputScaler);

}  // namespace gsan
