#pragma once
// VTK's XML file of an unstructured grid (.vtu), for ParaView and its relatives. Written, not read.

#include <span>
#include <string>
#include <vector>

#include "gsan/topology/complex.h"

namespace gsan {

/// Values on the simplices of one order, [N_order].
struct VtuSignal {
  std::string name;
  int order = 0;
  std::vector<double> values;
};

/// Every simplex of orders 0 to 3 as a cell (vertex, line, triangle, tetrahedron), order by order; higher
/// orders have no cell. Points [N_0, dimension]: missing coordinates are 0, those beyond the third are left
/// out. Each signal is an array of the cells with NaN on the other orders, one of order 0 an array of the
/// points as well; the cell array `order` says which order a cell is of. Numbers are base64, so every bit of
/// them and NaN is kept. Names are escaped, and made unique by the order where
/// signals share one or are called `order`: `value (order 1)`. Errors: lengths that do not match, an order
/// above 3.
std::string print_vtu(const SimplicialComplex& complex, std::span<const double> points, int dimension,
                      std::span<const VtuSignal> signals = {});

}  // namespace gsan
