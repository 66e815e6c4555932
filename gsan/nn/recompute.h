#pragma once
// A layer that keeps its input alone for the backward pass and computes the rest again there: more
// time, and the memory of one layer instead of that of all.

#include "gsan/nn/simplicial_layer.h"

namespace gsan {

/// The signals of layer->forward(operators, signals, context), with the same gradients. Masks are drawn
/// again: `context` must hold the stream of its dropout where there is any.
Cochains recomputed_forward(const SimplicialLayer& layer, const ComplexOperators& operators,
                            const Cochains& signals, const ForwardContext& context);

}  // namespace gsan
