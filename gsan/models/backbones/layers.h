#pragma once
// Models of simplicial layers as people ask for them: what a config says of a Network
// (models/backbones/network.h).

#include "gsan/models/backbones/network.h"
#include "gsan/models/model_spec.h"

namespace gsan {

/// Widths count all heads together.
struct LayersOptions {
  int length = 0;  ///< of the preset's filter; 0 = that of the publication
  LengthKind length_counts = LengthKind::publication;
  int hidden_channels = 32;
  int n_layers = 2;
  std::vector<int> widths{};  ///< empty: hidden_channels, n_layers times
  int embedding_channels = 0;
  bool activate_last = true;
  bool mean_last_heads = false;
  NormKind norm = NormKind::none;
  bool residual = false;
  SimplicialLayerOptions layer{};

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("length", self.length,
          "length of the filter: J of the Dirac models, else the highest power; 0: that of the publication");
    visit("length_counts", self.length_counts,
          "what length counts: as the publication, or the powers of each side from 1 on (powers)");
    visit("hidden_channels", self.hidden_channels, "features of every layer, all heads together");
    visit("n_layers", self.n_layers, "number of layers");
    visit("widths", self.widths,
          "features of each layer, all heads together; empty: hidden_channels, n_layers times");
    visit("embedding_channels", self.embedding_channels,
          "width of a linear map of the inputs of each order; 0: none");
    visit("activate_last", self.activate_last, "activation also after the last layer");
    visit("mean_last_heads", self.mean_last_heads, "the last layer averages its heads");
    visit("norm", self.norm,
          "features of each simplex after every layer but the last: layer (mean 0, spread 1) or rms (keeps "
          "signs)");
    visit("residual", self.residual, "adds the input of every layer to its output");
    std::remove_const_t<decltype(self.layer)>::fields(self.layer, visit);
  }
  /// As if the complex had every order.
  std::vector<std::string> faults() const;
};

/// The network for an input of this shape. `answers`: there is no readout, the last layer has
/// shape.out_channels features (0: its own).
NetworkOptions network_options(const LayersOptions& options, const ModelShape& shape, bool answers);

}  // namespace gsan
