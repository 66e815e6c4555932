#pragma once
// The laws of SPEC 8 that need no layer, measured on one complex. Where integers keep
// the arithmetic exact the bound is 0.

#include <cstdint>
#include <string>
#include <vector>

#include "gsan/hodge/operators.h"
#include "gsan/topology/homology.h"

namespace gsan::app {

struct Law {
  std::string name;
  std::string statement;  ///< what `measured` is
  double measured = 0;
  double bound = 0;  ///< the law holds when measured ≤ bound
  bool holds() const { return measured <= bound; }
};

struct LawOptions {
  std::uint64_t seed = 0;
  double tolerance = 1e-6;  ///< of what an iterative solver computes, relative
  HomologyOptions homology;
};

std::vector<Law> measure_laws(const ComplexOperators& operators, const LawOptions& options);

}  // namespace gsan::app
