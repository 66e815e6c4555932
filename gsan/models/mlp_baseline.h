#pragma once
// The model without topology: every simplex by itself, the same map for all simplices of an order.

#include <vector>

#include "gsan/core/options.h"
#include "gsan/hodge/operators.h"
#include "gsan/nn/mlp.h"

namespace gsan {

struct MlpBaselineOptions {
  std::vector<int> in_channels = {1, 1, 1};  ///< of the orders 0 … K
  int hidden_channels = 64;
  int n_layers = 2;
  Activation activation = Activation::relu;
  bool batch_norm = false;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("in_channels", self.in_channels);
    visit("hidden_channels", self.hidden_channels, "features of every layer");
    visit("n_layers", self.n_layers, "number of layers");
    visit("activation", self.activation, "after every layer");
    visit("batch_norm", self.batch_norm, "normalise before every activation");
  }
  std::vector<std::string> faults() const;
  void validate() const;  ///< one Error with every fault
};

/// Per order n_layers times Linear → [norm] → σ.
class MlpBaselineImpl : public torch::nn::Module {
 public:
  explicit MlpBaselineImpl(MlpBaselineOptions options);
  MlpBaselineImpl(MlpBaselineOptions options, const RandomStream& stream);

  /// x: orders 0 … K, [..., N_k, in_channels[k]], undefined counts as zero. Returns the signals after each
  /// layer, hidden_channels wide: what a readout is given.
  std::vector<Cochains> forward(const ComplexOperators& operators, const Cochains& x);
  void reset_parameters(const RandomStream& stream);
  void pretty_print(std::ostream& stream) const override;
  const MlpBaselineOptions& options() const { return options_; }

 private:
  MlpBaselineOptions options_;
  std::vector<std::vector<Mlp>> layers_;  // [order][layer]
};
TORCH_MODULE(MlpBaseline);

}  // namespace gsan
