#pragma once
// How much there is to compute on a complex that is an item among others.

#include "gsan/topology/complex.h"

namespace gsan {

/// Simplices of all orders.
inline std::int64_t complex_size(const SimplicialComplex& complex) {
  std::int64_t size = 0;
  for (int k = 0; k <= complex.order(); ++k) size += complex.count(k);
  return size;
}

}  // namespace gsan
