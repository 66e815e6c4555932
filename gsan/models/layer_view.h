#pragma once
// One simplicial layer of a model at work: the layer, and what it is given when the model sees an item.

#include "gsan/models/model.h"

namespace gsan {

struct LayerView {
  SimplicialLayer layer{nullptr};
  Cochains input;  ///< per order, after input maps, norms and residuals of what comes before the layer
};

/// Layer `number` = 1 … of the model in evaluation mode, on these signals. A model without simplicial layers,
/// and a number that it does not have, are errors.
LayerView view_layer(Model& model, const ComplexOperators& operators, const Cochains& signals, int number,
                     const Tensor& tuples = {});

}  // namespace gsan
