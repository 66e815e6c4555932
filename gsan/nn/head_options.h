#pragma once
// What the heads on simplices of one order have in common.

#include <vector>

#include "gsan/hodge/operators.h"
#include "gsan/nn/mlp.h"

namespace gsan {

struct HeadOptions {
  int order = 1;                   ///< whose simplices are read
  std::vector<int> widths = {32};  ///< features of each layer's output
  bool all_layers = false;         ///< read all layers, concatenated, instead of the last
  bool absolute = false;           ///< read |x|: the output does not depend on the orientation
  std::vector<int> hidden = {};    ///< of the Mlp; none: one Linear
  int out_channels = 1;
  Activation activation = Activation::relu;
  bool batch_norm = false;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("order", self.order);
    visit("widths", self.widths);
    visit("all_layers", self.all_layers, "read the output of every layer, not only of the last");
    visit("absolute", self.absolute, "read |x|, which no orientation changes");
    visit("hidden", self.hidden, "widths between features and output; empty: one linear map");
    visit("out_channels", self.out_channels);
    visit("activation", self.activation, "between these");
    visit("batch_norm", self.batch_norm, "normalise before every activation");
  }
  std::vector<std::string> faults() const;

  int feature_count() const;  ///< of one simplex, as the Mlp sees it
  MlpOptions mlp(int in_channels) const;
};

/// The features that the head reads, [..., N_order, feature_count()]; zeros where a layer has no signal.
Tensor head_features(std::string_view who, const HeadOptions& options, const ComplexOperators& operators,
                     const std::vector<Cochains>& layers, const Tensor& parameter);

}  // namespace gsan
