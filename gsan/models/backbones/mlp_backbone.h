#pragma once
// The model without topology: every simplex by itself, the same map for all simplices of an order.

#include <vector>

#include "gsan/core/options.h"
#include "gsan/hodge/operators.h"
#include "gsan/models/backbone.h"
#include "gsan/nn/mlp.h"

namespace gsan {

struct MlpBackboneOptions {
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
class MlpBackboneImpl : public Backbone {
 public:
  explicit MlpBackboneImpl(MlpBackboneOptions options);
  MlpBackboneImpl(MlpBackboneOptions options, const RandomStream& stream);

  /// x: orders 0 … K, [..., N_k, in_channels[k]], undefined counts as zero. Returns the signals after each
  /// layer, hidden_channels wide: what a readout is given.
  std::vector<Cochains> forward(const ComplexOperators& operators, const Cochains& x);
  void reset_parameters(const RandomStream& stream) override;
  void pretty_print(std::ostream& stream) const override;
  BackboneOutput run(const ComplexOperators& operators, const Cochains& signals,
                     const ForwardContext&) override {
    return {forward(operators, signals)};
  }
  const std::vector<int>& in_channels() const override { return options_.in_channels; }
  std::vector<int> widths() const override;
  std::vector<int> orders() const override;
  const MlpBackboneOptions& options() const { return options_; }

 private:
  MlpBackboneOptions options_;
  std::vector<std::vector<Mlp>> layers_;  // [order][layer]
};
TORCH_MODULE(MlpBackbone);

}  // namespace gsan
