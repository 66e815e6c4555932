#pragma once
// What a file of any format holds, and how to read it.

#include <vector>

#include "gsan/data/formats/listed_complex.h"
#include "gsan/data/formats/signal.h"
#include "gsan/topology/limits.h"

namespace gsan {

/// A listed complex and the values that the file itself gives.
struct ComplexFile {
  ListedComplex listed;
  /// One per order, in listed order (points and meshes: the coordinates, on order 0;
  /// weights; filtration values). Without columns where the file gives no values.
  std::vector<Signal> values;
  bool has_points = false;  ///< values[0] are coordinates
};

struct ReadOptions {
  Limits limits;  ///< of the complex, faces included
  bool skip_degenerate =
      false;  ///< self loops and mesh faces that repeat a vertex: left out instead of an error
  bool close_hypergraph =
      false;  ///< HIF that is not `asc`: every hyperedge becomes a simplex with all its faces
  HeaderRow header = HeaderRow::automatic;  ///< of edge lists and points as CSV
  /// The skeleton of this order: a larger simplex is not listed and contributes its faces of that order; it
  /// is never formed itself. Negative: everything.
  int max_order = -1;
};

}  // namespace gsan
