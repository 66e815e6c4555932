#pragma once
// Small random complexes for the tests of laws. The seed chooses a shape first (nothing,
// points, graph without triangles, filled simplices, a hub, several components), then
// its simplices, so a few dozen seeds meet every corner case.
//
//   for (std::uint64_t seed = 0; seed < 50; ++seed) { const auto complex = random_complex(seed); … }
//
// With rapidcheck, SimplicialComplex is an ordinary argument of a property; a failing
// case shrinks by dropping simplices, then isolated vertices.

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <random>
#include <utility>
#include <vector>

#ifdef GSAN_HAVE_RAPIDCHECK
#include <rapidcheck.h>
#endif

#include "gsan/topology/builder.h"
#include "gsan/topology/complex.h"

namespace gsan {

struct RandomComplexOptions {
  int max_order = 3;        ///< no simplex has more vertices than this + 1
  Index max_vertices = 12;  ///< at least 1
};

/// What a complex is built from: vertices 0 … vertex_count − 1, then these simplices.
struct SimplexList {
  Index vertex_count = 0;
  std::vector<std::vector<Vertex>> simplices;

  SimplicialComplex build() const {
    ComplexBuilder builder;
    builder.add_vertices(vertex_count);
    for (const auto& simplex : simplices) builder.add(simplex);
    return builder.build();
  }
};

inline SimplexList random_simplex_list(std::uint64_t seed, RandomComplexOptions options = {}) {
  std::mt19937_64 engine(seed);
  const auto below = [&](Index bound) {
    return static_cast<Index>(engine() % static_cast<std::uint64_t>(bound));
  };
  enum Shape { nothing, points, graph, hub, one_simplex, components, sparse, dense };
  const auto shape = static_cast<Shape>(seed % 8);

  SimplexList list;
  if (shape == nothing) return list;
  list.vertex_count = 1 + below(options.max_vertices);
  const Index n = list.vertex_count;
  // `width` different vertices of first … first + size − 1, in random order.
  const auto draw = [&](Index first, Index size, int width) {
    std::vector<Vertex> vertices(size);
    for (Index i = 0; i < size; ++i) vertices[i] = first + i;
    for (Index i = size; i > 1; --i) std::swap(vertices[i - 1], vertices[below(i)]);
    vertices.resize(std::min<std::size_t>(vertices.size(), width));
    return vertices;
  };
  const auto add = [&](Index first, Index size, int order, Index count) {
    for (Index i = 0; i < count; ++i) list.simplices.push_back(draw(first, size, 1 + std::max(order, 0)));
  };
  const int top = options.max_order;
  switch (shape) {
    case nothing:
    case points:
      break;
    case graph:
      add(0, n, std::min(1, top), 1 + below(2 * n));
      break;
    case hub: {  // vertex n / 2 lies in every simplex
      add(0, n, top, 1 + below(n));
      for (auto& simplex : list.simplices) {
        if (std::find(simplex.begin(), simplex.end(), n / 2) == simplex.end()) simplex[0] = n / 2;
      }
      break;
    }
    case one_simplex:
      add(0, n, top, 1);
      break;
    case components: {
      const Index cut = n / 2;
      if (cut > 0) add(0, cut, 1 + below(std::max(top, 1)), 1 + below(n));
      add(cut, n - cut, std::min(1, top), 1 + below(n));
      break;
    }
    case sparse:
    case dense:
      for (int k = std::min(1, top); k <= top; ++k) add(0, n, k, below(shape == sparse ? n + 1 : 3 * n));
      break;
  }
  for (auto& simplex : list.simplices) {
    if (simplex.size() > static_cast<std::size_t>(top) + 1) simplex.resize(top + 1);
  }
  return list;
}

inline SimplicialComplex random_complex(std::uint64_t seed, RandomComplexOptions options = {}) {
  return random_simplex_list(seed, options).build();
}

/// A random permutation of 0 … size − 1.
inline std::vector<Index> random_permutation(Index size, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<Index> permutation(size);
  for (Index i = 0; i < size; ++i) permutation[i] = i;
  for (Index i = size; i > 1; --i) std::swap(permutation[i - 1], permutation[engine() % i]);
  return permutation;
}

/// Every simplex, order by order: what a failing test prints.
inline std::ostream& operator<<(std::ostream& out, const SimplicialComplex& complex) {
  out << "complex {";
  for (int k = 0; k <= complex.order(); ++k) {
    for (Index i = 0; i < complex.count(k); ++i) {
      out << " (";
      for (int j = 0; j <= k; ++j) out << (j ? " " : "") << complex.vertices(k, i)[j];
      out << ")";
    }
  }
  return out << " }";
}

#ifdef GSAN_HAVE_RAPIDCHECK
inline rc::Gen<SimplicialComplex> arbitrary_complex(RandomComplexOptions options = {}) {
  auto lists = rc::gen::map(rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()),
                            [=](std::uint64_t seed) { return random_simplex_list(seed, options); });
  auto shrinking = rc::gen::shrink(std::move(lists), [](const SimplexList& list) {
    auto fewer_simplices =
        rc::seq::map(rc::shrink::removeChunks(list.simplices), [n = list.vertex_count](auto kept) {
          return SimplexList{n, std::move(kept)};
        });
    auto fewer_vertices =
        rc::seq::map(rc::shrink::towards<Index>(list.vertex_count, 0), [simplices = list.simplices](Index n) {
          return SimplexList{n, simplices};
        });
    return rc::seq::concat(std::move(fewer_simplices), std::move(fewer_vertices));
  });
  return rc::gen::map(std::move(shrinking), [](const SimplexList& list) { return list.build(); });
}
#endif

}  // namespace gsan

#ifdef GSAN_HAVE_RAPIDCHECK
template <>
struct rc::Arbitrary<gsan::SimplicialComplex> {
  static rc::Gen<gsan::SimplicialComplex> arbitrary() { return gsan::arbitrary_complex(); }
};
#endif
