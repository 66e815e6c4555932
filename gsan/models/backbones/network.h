#pragma once
// A stack of simplicial layers behind per-order input maps.

#include <vector>

#include "gsan/models/backbone.h"
#include "gsan/nn/linear.h"
#include "gsan/nn/norm.h"
#include "gsan/nn/simplicial_layer.h"

namespace gsan {

struct NetworkOptions {
  std::vector<int> in_channels{1, 1, 1};  ///< features of each order 0 … K; 0 = the order carries no input
  /// Width of the linear input maps, one per order with input; 0 = none: the first layer takes the input
  /// itself, whose orders must then have one width.
  int embedding_channels = 0;
  std::vector<int> widths{32, 32};  ///< out_channels (per head) of each layer
  bool activate_last = true;        ///< σ also after the last layer
  bool mean_last_heads = false;     ///< the last layer averages its heads, whatever layer.head_mode is
  NormKind norm = NormKind::none;   ///< after every layer but the last
  /// Adds the input of a layer to what it gives (after the norm); through a linear map where widths differ.
  bool residual = false;
  SimplicialLayerOptions layer;  ///< of every layer; the network sets in_channels and out_channels

  /// One error with every fault.
  void validate() const;
  /// The options of layer l, with its widths.
  SimplicialLayerOptions layer_options(int l) const;
  /// Features that the first layer gets.
  int first_channels() const;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("in_channels", self.in_channels);
    visit("embedding_channels", self.embedding_channels,
          "width of a linear map of the inputs of each order; 0: none");
    visit("widths", self.widths);
    visit("activate_last", self.activate_last, "activation also after the last layer");
    visit("mean_last_heads", self.mean_last_heads, "the last layer averages its heads");
    visit("norm", self.norm, "normalises the features of each simplex after every layer but the last");
    visit("residual", self.residual, "adds the input of every layer to its output");
    visit("layer", self.layer);
  }
};

class NetworkImpl : public Backbone {
 public:
  explicit NetworkImpl(NetworkOptions options);  ///< first values governed by torch::manual_seed
  NetworkImpl(NetworkOptions options, const RandomStream& stream);

  /// signals: [..., N_k, in_channels[k]] per order, undefined = no signal.
  BackboneOutput forward(const ComplexOperators& operators, const Cochains& signals,
                         const ForwardContext& context = {});
  void reset_parameters(const RandomStream& stream) override;
  void pretty_print(std::ostream& stream) const override;

  BackboneOutput run(const ComplexOperators& operators, const Cochains& signals,
                     const ForwardContext& context) override {
    return forward(operators, signals, context);
  }
  const std::vector<int>& in_channels() const override { return options_.in_channels; }
  std::vector<int> widths() const override;
  std::vector<int> orders() const override { return options_.layer.active_orders(); }
  bool has_attention() const override { return true; }
  std::vector<SimplicialLayerOptions> simplicial_layers() const override;
  bool drops() const override { return options_.layer.dropout > 0 || options_.layer.attention_dropout > 0; }
  const NetworkOptions& options() const { return options_; }
  const std::vector<SimplicialLayer>& layers() const { return layers_; }

 private:
  Cochains embed(const ComplexOperators& operators, const Cochains& signals) const;
  // What follows layer l, which made `made` of `given`: norm and residual.
  Cochains connect(std::size_t l, const Cochains& given, const Cochains& made) const;
  NetworkOptions options_;
  std::vector<Linear> input_maps_;  // one per order, null where there is none
  std::vector<SimplicialLayer> layers_;
  std::vector<std::vector<Norm>> norms_;  // per layer and order, null where there is none
  std::vector<Linear> skips_;             // per layer, null where the widths agree or nothing is added
};
TORCH_MODULE(Network);

}  // namespace gsan
