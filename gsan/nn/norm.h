#pragma once
// Normalisation of the features of each simplex, between layers.

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>
#include <torch/types.h>

#include "gsan/core/options.h"

namespace gsan {

using torch::Tensor;

enum class NormKind {
  none,
  layer,  ///< mean 0 and spread 1 over the features, then a factor and an offset per feature
  rms,    ///< divided by the root mean square, then a factor: follows the orientation of a simplex
};

template <>
struct EnumNames<NormKind> {
  static constexpr std::pair<NormKind, std::string_view> names[] = {
      {NormKind::none, "none"}, {NormKind::layer, "layer"}, {NormKind::rms, "rms"}};
};

/// [..., F] → the same (Ba, Kiros, Hinton, 2016; Zhang, Sennrich, 2019). Factors start at 1, offsets at 0.
class NormImpl : public torch::nn::Module {
 public:
  NormImpl(NormKind kind, int channels);  ///< layer or rms
  Tensor forward(const Tensor& x) const;
  void reset_parameters();

 private:
  NormKind kind_;
  Tensor weight_, bias_;  // [F]; no bias for rms
};
TORCH_MODULE(Norm);

}  // namespace gsan
