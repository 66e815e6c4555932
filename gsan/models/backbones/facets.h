#pragma once
// Sums over facets (spec 10): what a simplex has from everything that it is part of. Each facet estimates its
// own share from its members by attention; a simplex adds the shares of its facets through a gate. For values
// that add up, given as logarithms: citations of the papers of an author, loads of the lines at a station.

#include <vector>

#include "gsan/core/options.h"
#include "gsan/models/backbone.h"
#include "gsan/nn/mlp.h"

namespace gsan {

struct FacetsOptions {
  std::vector<int> in_channels = {1, 1, 1};  ///< of the orders 0 … K; 0: none
  int out_channels = 0;                      ///< of the last layer; 0: the widest input
  int hidden_channels = 0;
  int n_layers = 1;
  int heads = 1;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("in_channels", self.in_channels);
    visit("out_channels", self.out_channels);
    visit("hidden_channels", self.hidden_channels, "hidden width of the scores; 0: they are linear");
    visit("n_layers", self.n_layers, "number of layers");
    visit("heads", self.heads, "attention heads, each with a gate and an exponent of its own");
  }
  std::vector<std::string> faults() const;
  void validate() const;  ///< one Error with every fault

  int width() const;  ///< of all layers but the last: the widest input
};

/// One layer on one order, z [..., N, F] → y [..., N, D]. Per head, over the facets f and their members j:
///
///   a_fj = softmax over j of e^s score(z_j),   h_f = Σ_j a_fj z_j,   g_f = sigmoid(u · h_f + c)
///   y_id = b_d + mean over the heads of w_d log( Σ_{f ∋ i} g_f e^{t_d h_fd} ) / t_d,   t_d > 0
///
/// h_fd is feature d mod F. At first w = 1, b = 0, s = 0, t = 1, u = 0 and the gates are open (c = 6): a
/// simplex of one facet has the mean of its members. Costs O(entries of the table · F · heads).
class FacetLayerImpl : public torch::nn::Module {
 public:
  struct Sizes {
    int in_channels, out_channels, hidden_channels, heads;
  };
  FacetLayerImpl(const Sizes& sizes, const RandomStream& stream);

  Tensor forward(const ComplexOperators& operators, int k, const Tensor& z);
  void reset_parameters(const RandomStream& stream);

 private:
  Sizes sizes_;
  Mlp score_{nullptr};
  Tensor sharpness_, gate_, gate_bias_;  // s [H], u [H, F], c [H]
  Tensor exponent_, weight_, bias_;      // log t [H, D], w [H, D], b [D]
};
TORCH_MODULE(FacetLayer);

/// Orders do not mix. An order without an input gives zeros.
class FacetsImpl : public Backbone {
 public:
  FacetsImpl(FacetsOptions options, const RandomStream& stream);

  BackboneOutput run(const ComplexOperators& operators, const Cochains& signals,
                     const ForwardContext&) override;
  void reset_parameters(const RandomStream& stream) override;
  void pretty_print(std::ostream& stream) const override;
  const std::vector<int>& in_channels() const override { return options_.in_channels; }
  std::vector<int> widths() const override;
  std::vector<int> orders() const override;
  const FacetsOptions& options() const { return options_; }

 private:
  FacetsOptions options_;
  std::vector<std::vector<FacetLayer>> layers_;  // [order][layer]; none of an order without an input
};
TORCH_MODULE(Facets);

}  // namespace gsan
