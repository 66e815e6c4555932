#pragma once
// The unchecked door into SimplicialComplex, for lifts that get the faces of every
// simplex on the way to finding it. What comes in must be what
// SimplicialComplex::from_sorted_tables(vertices) would build: the tests compare the two.

#include <vector>

#include "gsan/topology/complex.h"

namespace gsan {

/// The coface lists of one order, as SimplicialComplex has them.
struct CofaceLists {
  std::vector<Offset> offsets;
  std::vector<Index> cofaces;
  std::vector<std::uint8_t> columns;
};

struct TrustedTables {
  std::vector<std::vector<Index>> faces;      ///< per order k: [N_k, k + 1], not empty; empty for k = 0
  std::vector<std::vector<Vertex>> vertices;  ///< per order k: [N_k, k + 1]; orders ≥ 1 may be left out
  std::vector<CofaceLists> cofaces{};         ///< per order; may be left out

  SimplicialComplex freeze() &&;
};

}  // namespace gsan
