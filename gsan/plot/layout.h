#pragma once
// Places in the plane for the vertices of a complex that has no coordinates. The same complex gives the same
// places on every machine; cost grows with the number of edges, not with that of pairs.

#include <string_view>
#include <vector>

#include "gsan/topology/complex.h"

namespace gsan {

enum class LayoutKind {
  spring,    ///< springs along the edges, and to a few pivots, of the length of the shortest path
  spectral,  ///< the two smoothest non-constant functions on the graph (degree-normalised Laplacian)
};

/// "spring" or "spectral"; an error that names both for any other word.
LayoutKind layout_kind(std::string_view name);

/// [N_0, 2], x and y of each vertex. Neighbours are about 1 apart. Connected components are laid out on their
/// own and beside each other, the largest first. No vertices: no places.
std::vector<double> vertex_layout(const SimplicialComplex& complex, LayoutKind kind = LayoutKind::spring);

}  // namespace gsan
