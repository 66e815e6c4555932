#pragma once
// The memory of one layer's forward and backward pass, step by step, from the layer's list of terms.

#include "gsan/nn/layer_cost.h"

namespace gsan {

/// Bytes, in the words of LayerCost.
struct LayerMemory {
  double structure = 0, activations = 0, workspace = 0;
};

LayerMemory layer_memory(const SimplicialLayerOptions& options, const ComplexSize& size,
                         int bytes_per_number);

}  // namespace gsan
