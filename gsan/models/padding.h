#pragma once
// Which models may be given batches with rows that belong to no complex (hodge/padding.h).

#include <string>

#include "gsan/models/model.h"

namespace gsan {

/// Why a model is not to be trained on padded batches, for people; empty: it may be. Its answer then depends
/// on the rows of parts alone, and the gradients of the others are zeros.
///
/// Layers, MPSN, GIN and MLP compute row by row and along incidences and pairs, where the padding is a world
/// of its own; softmax over an order, bounds and projectors go by the parts. Not so batch normalisation
/// before the readout, whose statistics are over all rows, the exact harmonic projector, which looks at the
/// complex, and readouts that answer for rows.
std::string why_not_padded(const ModelImpl& model);

}  // namespace gsan
