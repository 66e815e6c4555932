#pragma once
// Every law that operators and layers obey, measured on one complex: what `gsan check` prints and what tests
// ask of complexes of their own.

#include <cstdint>
#include <vector>

#include "gsan/hodge/operators.h"
#include "gsan/laws/law.h"
#include "gsan/topology/homology.h"

namespace gsan::laws {

struct LawOptions {
  std::uint64_t seed = 0;
  double tolerance = 1e-6;  ///< of what an iterative solver computes, relative
  HomologyOptions homology{};
};

/// Those of the operators (operator_laws.h), then those of the layers (layer_laws.h).
std::vector<Law> measure_laws(const ComplexOperators& operators, const LawOptions& options = {});

}  // namespace gsan::laws
