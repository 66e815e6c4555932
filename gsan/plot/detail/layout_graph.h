#pragma once
// One connected component of the edges of a complex, its vertices numbered 0 … n − 1.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gsan/topology/complex.h"

namespace gsan {

struct LayoutGraph {
  std::vector<Vertex> vertices;         ///< [n] of the complex
  std::vector<std::size_t> offsets;     ///< [n + 1]
  std::vector<std::uint32_t> adjacent;  ///< neighbours of i: offsets[i] … offsets[i + 1] − 1

  std::size_t size() const { return vertices.size(); }
  std::span<const std::uint32_t> neighbors(std::size_t i) const {
    return {adjacent.data() + offsets[i], offsets[i + 1] - offsets[i]};
  }
  /// Edges on a shortest path from `start` to every vertex.
  std::vector<std::uint32_t> distances(std::size_t start) const;
};

/// The components, largest first; those of equal size in the order of their first vertex.
std::vector<LayoutGraph> layout_graphs(const SimplicialComplex& complex);

/// Up to `count` vertices far from each other, and their distances to all vertices.
struct Pivots {
  std::vector<std::size_t> vertices;
  std::vector<std::vector<std::uint32_t>> distances;
};
Pivots far_pivots(const LayoutGraph& graph, std::size_t count);

std::vector<double> spring_places(const LayoutGraph& graph);    ///< [n, 2]
std::vector<double> spectral_places(const LayoutGraph& graph);  ///< [n, 2]

}  // namespace gsan
