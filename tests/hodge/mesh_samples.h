#pragma once
// Complexes large enough for several multigrid levels, and those with awkward stars.

#include <vector>

#include "gsan/topology/builder.h"
#include "gsan/topology/relabel.h"

#include "hodge/sample_complexes.h"
#include "support/random_complex.h"

namespace gsan {

/// The same complex with its vertices in random order.
inline SimplicialComplex shuffled(const SimplicialComplex& complex, std::uint64_t seed = 1) {
  return relabel(complex, random_permutation(complex.count(0), seed)).complex;
}

inline SimplicialComplex path(Index n) {
  ComplexBuilder builder;
  builder.add_vertices(n);
  for (Vertex v = 0; v + 1 < n; ++v) builder.add({v, v + 1});
  return builder.build();
}

/// `circles` triangles without inside, glued at vertex 0.
inline SimplicialComplex wedge_of_circles(Index circles) {
  ComplexBuilder builder;
  for (Vertex c = 0; c < circles; ++c) {
    builder.add({0, 2 * c + 1}).add({0, 2 * c + 2}).add({2 * c + 1, 2 * c + 2});
  }
  return builder.build();
}

/// Copies of a complex, side by side.
inline SimplicialComplex copies(const SimplicialComplex& complex, Index count) {
  ComplexBuilder builder;
  for (Index c = 0; c < count; ++c) {
    for (int k = 0; k <= complex.order(); ++k) {
      for (Index i = 0; i < complex.count(k); ++i) {
        std::vector<Vertex> simplex(complex.vertices(k, i).begin(), complex.vertices(k, i).end());
        for (Vertex& v : simplex) v += c * complex.count(0);
        builder.add(simplex);
      }
    }
  }
  return builder.build();
}

/// A sheet of n × n squares whose first edge has `pages` more triangles.
inline SimplicialComplex sheet_with_pages(Index n, Index pages) {
  const SimplicialComplex flat = sheet(n, n);
  ComplexBuilder builder;
  for (Index i = 0; i < flat.count(2); ++i) builder.add(flat.vertices(2, i));
  for (Index p = 0; p < pages; ++p)
    builder.add({flat.vertices(1, 0)[0], flat.vertices(1, 0)[1], flat.count(0) + p});
  return builder.build();
}

/// n × n × n cubes, each cut into six tetrahedra (Kuhn).
inline SimplicialComplex solid(Index n) {
  const auto vertex = [&](Index x, Index y, Index z) -> Vertex { return (z * (n + 1) + y) * (n + 1) + x; };
  constexpr int turns[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  ComplexBuilder builder;
  for (Index z = 0; z < n; ++z) {
    for (Index y = 0; y < n; ++y) {
      for (Index x = 0; x < n; ++x) {
        for (const auto& turn : turns) {
          Index at[3] = {x, y, z};
          std::vector<Vertex> simplex{vertex(x, y, z)};
          for (const int axis : turn) {
            ++at[axis];
            simplex.push_back(vertex(at[0], at[1], at[2]));
          }
          builder.add(simplex);
        }
      }
    }
  }
  return builder.build();
}

/// A Klein bottle of n × n squares, n ≥ 4: no orientation of its triangles agrees everywhere.
inline SimplicialComplex klein_bottle(Index n) {
  // Going round in y turns x over.
  const auto vertex = [&](Index x, Index y) -> Vertex {
    if (y == n) return (n - x % n) % n;
    return y * n + x % n;
  };
  ComplexBuilder builder;
  for (Index y = 0; y < n; ++y) {
    for (Index x = 0; x < n; ++x) {
      builder.add({vertex(x, y), vertex(x + 1, y), vertex(x + 1, y + 1)});
      builder.add({vertex(x, y), vertex(x, y + 1), vertex(x + 1, y + 1)});
    }
  }
  return builder.build();
}

}  // namespace gsan
