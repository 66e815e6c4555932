#pragma once
// MPSN / SIN (mpsn_layer.h) as a stack of layers, and GIN as its case of order 0: Xu, Hu, Leskovec, Jegelka,
// "How powerful are graph neural networks?", ICLR 2019.

#include <vector>

#include "gsan/models/backbone.h"
#include "gsan/models/backbones/mpsn_layer.h"

namespace gsan {

struct MpsnOptions {
  std::vector<int> in_channels = {1, 1, 1};  ///< of the orders 0 … K
  int hidden_channels = 64;
  int n_layers = 4;
  /// A Linear per order to hidden_channels comes first. Without it all orders need the same width, since
  /// boundary messages add signals of neighbouring orders.
  bool input_map = false;
  bool boundaries = true;
  bool use_coboundaries = true;
  double epsilon = 0;
  bool train_epsilon = false;
  Activation activation = Activation::relu;
  bool batch_norm = true;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("in_channels", self.in_channels);
    visit("hidden_channels", self.hidden_channels, "features of every layer");
    visit("n_layers", self.n_layers, "number of layers");
    visit("input_map", self.input_map, "a linear map of each order to hidden_channels first");
    visit("boundaries", self.boundaries, "messages from faces");
    visit("use_coboundaries", self.use_coboundaries, "messages of upper neighbours see the common coface");
    visit("epsilon", self.epsilon, "weight of a simplex's own signal is 1 + epsilon");
    visit("train_epsilon", self.train_epsilon, "learn epsilon");
    visit("activation", self.activation, "of all small networks inside");
    visit("batch_norm", self.batch_norm, "normalise before every activation");
  }
  std::vector<std::string> faults() const;
  void validate() const;  ///< one Error with every fault
};

/// y_i = MLP( (1 + ε) x_i + Σ over neighbours j of x_j ) on the vertices, MLP with batch norm.
MpsnOptions gin(int in_channels, int hidden_channels, int n_layers);

class MpsnImpl : public Backbone {
 public:
  explicit MpsnImpl(MpsnOptions options);
  MpsnImpl(MpsnOptions options, const RandomStream& stream);

  /// x: orders 0 … K, [..., N_k, in_channels[k]]. Returns the signals after each layer, hidden_channels wide:
  /// what a readout is given.
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
  const MpsnOptions& options() const { return options_; }

 private:
  MpsnOptions options_;
  std::vector<Linear> input_maps_;  // per order, or none
  std::vector<MpsnLayer> layers_;
};
TORCH_MODULE(Mpsn);

}  // namespace gsan
