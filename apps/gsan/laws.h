#pragma once
// The laws of spec 8 that need no layer, measured on one complex. Where integers keep
// the arithmetic exact the bound is 0.

#include <cstdint>
#include <vector>

#include "gsan/topology/homology.h"

#include "apps/gsan/law_measures.h"

namespace gsan::app {

struct LawOptions {
  std::uint64_t seed = 0;
  double tolerance = 1e-6;  ///< of what an iterative solver computes, relative
  HomologyOptions homology;
};

std::vector<Law> measure_laws(const ComplexOperators& operators, const LawOptions& options);

}  // namespace gsan::app
