#pragma once
// A complex whose vertices have coordinates.

#include <vector>

#include "gsan/topology/complex.h"

namespace gsan {

struct EmbeddedComplex {
  SimplicialComplex complex;
  int dimension = 0;           ///< of the space; 0 for an abstract complex
  std::vector<double> points;  ///< row-major [N_0, dimension]
};

}  // namespace gsan
