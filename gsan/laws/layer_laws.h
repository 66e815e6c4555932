#pragma once
// The laws of spec 8 that need a layer, measured on one complex in float64 with random weights and signals.

#include <cstdint>
#include <vector>

#include "gsan/hodge/operators.h"
#include "gsan/laws/law.h"

namespace gsan::laws {

/// A law that would need more memory than operators.max_memory(), or more neighbour pairs or eigenvectors
/// than are quick, is skipped and says so.
std::vector<Law> measure_layer_laws(const ComplexOperators& operators, std::uint64_t seed);

}  // namespace gsan::laws
