#pragma once
// Linear → [batch norm] → σ → … → Linear, on the last dimension.

#include <vector>

#include "gsan/core/options.h"
#include "gsan/nn/activation.h"
#include "gsan/nn/batch_norm.h"
#include "gsan/nn/linear.h"

namespace gsan {

struct MlpOptions {
  int in_channels = 1;
  std::vector<int> hidden = {};  ///< widths between; none: one Linear
  int out_channels = 1;
  Activation activation = Activation::relu;
  bool activate_last = false;  ///< batch norm and σ also after the last Linear
  bool batch_norm = false;     ///< before each σ
  bool bias = true;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("in_channels", self.in_channels);
    visit("hidden", self.hidden);
    visit("out_channels", self.out_channels);
    visit("activation", self.activation);
    visit("activate_last", self.activate_last);
    visit("batch_norm", self.batch_norm);
    visit("bias", self.bias);
  }
  void validate() const;  ///< one Error with every fault
};

class MlpImpl : public torch::nn::Module {
 public:
  explicit MlpImpl(MlpOptions options);  ///< governed by torch::manual_seed
  MlpImpl(MlpOptions options, const RandomStream& stream);

  Tensor forward(const Tensor& x);  ///< [..., in] → [..., out]
  void reset_parameters(const RandomStream& stream);
  void pretty_print(std::ostream& stream) const override;
  const MlpOptions& options() const { return options_; }

 private:
  MlpOptions options_;
  std::vector<Linear> linears_;
  std::vector<BatchNorm> norms_;  // one per σ, or none
};
TORCH_MODULE(Mlp);

}  // namespace gsan
