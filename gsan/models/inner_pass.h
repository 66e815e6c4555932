#pragma once
// The border of a model: inside, its backbone computes in the order that suits the complex
// (hodge/reordered_complex.h); outside, every row is where the caller has it.

#include "gsan/models/backbone.h"

namespace gsan {

/// backbone.run() with everything that it returns in the order of `operators`: signals, pairs of attention
/// weights and what a diagnosis looks at. Equal to run() itself up to rounding, with the same dropout masks.
///
/// In the given order as well where the context checks for numbers that are not finite, since what refuses
/// them names a row; and signals that do not fit the complex are left to the errors of the backbone.
BackboneOutput run_in_inner_order(Backbone& backbone, const ComplexOperators& operators,
                                  const Cochains& signals, const ForwardContext& context);

}  // namespace gsan
