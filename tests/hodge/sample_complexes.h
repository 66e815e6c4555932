#pragma once
// Complexes with known spectra, some too large for a dense decomposition in a test.

#include "gsan/topology/builder.h"

namespace gsan {

/// A circle of n edges: L_0 has the eigenvalues 2 − 2 cos(2πi/n), most of them double.
inline SimplicialComplex cycle(Index n) {
  ComplexBuilder builder;
  for (Vertex v = 0; v < n; ++v) builder.add({v, (v + 1) % n});
  return builder.build();
}

/// Every simplex on n vertices up to this order: all non-zero eigenvalues of L_k^d are n, and so
/// are those of L_k^u below the top order.
inline SimplicialComplex complete_complex(Index n, int order) {
  ComplexBuilder builder;
  std::vector<Vertex> simplex;
  const auto extend = [&](const auto& self, Vertex from) -> void {
    if (static_cast<int>(simplex.size()) == order + 1) {
      builder.add(simplex);
      return;
    }
    for (Vertex v = from; v < n; ++v) {
      simplex.push_back(v);
      self(self, v + 1);
      simplex.pop_back();
    }
  };
  extend(extend, 0);
  return builder.build();
}

/// A triangulated sheet of width × height squares, each cut along a diagonal; `periodic` closes it
/// to a torus (then at least 4 each way), `hole` leaves out the squares of its middle third.
inline SimplicialComplex sheet(Index width, Index height, bool periodic = false, bool hole = false) {
  ComplexBuilder builder;
  const Index columns = periodic ? width : width + 1, rows = periodic ? height : height + 1;
  const auto vertex = [&](Index x, Index y) -> Vertex { return (y % rows) * columns + x % columns; };
  for (Index y = 0; y < height; ++y) {
    for (Index x = 0; x < width; ++x) {
      if (hole && 3 * x >= width && 3 * x < 2 * width && 3 * y >= height && 3 * y < 2 * height) continue;
      builder.add({vertex(x, y), vertex(x + 1, y), vertex(x + 1, y + 1)});
      builder.add({vertex(x, y), vertex(x, y + 1), vertex(x + 1, y + 1)});
    }
  }
  return builder.build();
}

}  // namespace gsan
