#include "gsan/topology/bisection_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/topology/builder.h"
#include "gsan/topology/disjoint_union.h"
#include "gsan/topology/inner_order.h"
#include "gsan/topology/relabel.h"
#include "gsan/topology/reorder.h"

#include "support/random_complex.h"

namespace gsan {
namespace {

// A square of n × n vertices, each small square cut into two triangles, with shuffled names.
SimplicialComplex shuffled_square(Vertex n, std::uint64_t seed) {
  const std::vector<Vertex> name = random_permutation(n * n, seed);
  ComplexBuilder builder;
  for (Vertex y = 0; y + 1 < n; ++y) {
    for (Vertex x = 0; x + 1 < n; ++x) {
      const Vertex a = name[y * n + x], b = name[y * n + x + 1], c = name[(y + 1) * n + x],
                   d = name[(y + 1) * n + x + 1];
      builder.add({a, b, d}).add({a, c, d});
    }
  }
  return builder.build();
}

// Edges between different blocks of `rows` consecutive names: what misses a cache of so many rows.
Index cut_edges(const SimplicialComplex& complex, const std::vector<Vertex>& name, Vertex rows) {
  Index cut = 0;
  for (Index e = 0; e < complex.count(1); ++e) {
    const auto ends = complex.vertices(1, e);
    cut += name[ends[0]] / rows != name[ends[1]] / rows;
  }
  return cut;
}

TEST(BisectionOrder, BlocksOfAnySizeAreCompactWhereThoseOfFrontsAreNot) {
  const Vertex n = 64;
  const SimplicialComplex complex = shuffled_square(n, 1);
  const std::vector<Vertex> halved = bisection_order(complex), fronts = reverse_cuthill_mckee(complex);
  for (const Vertex rows : {32, 128, 512}) {
    // A block that is a disc of `rows` vertices has some 3 · 4 · √rows edges to others; each counts for two
    // blocks.
    const double compact = 6 * std::sqrt(static_cast<double>(rows)) * (n * n / rows);
    EXPECT_LT(static_cast<double>(cut_edges(complex, halved, rows)), 1.2 * compact) << rows;
  }
  for (const Vertex rows : {32, 128})
    EXPECT_LT(cut_edges(complex, halved, rows), cut_edges(complex, fronts, rows)) << rows;
  EXPECT_LT(arrangement_bits(complex, 0, n * n, halved), arrangement_bits(complex, 0, n * n, fronts));
}

TEST(BisectionOrder, IsAPermutationForAnyComplex) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    std::vector<Vertex> names = bisection_order(complex);
    std::sort(names.begin(), names.end());
    std::vector<Vertex> all(static_cast<std::size_t>(complex.count(0)));
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(names, all) << seed;
  }
  EXPECT_TRUE(bisection_order(SimplicialComplex()).empty());
  EXPECT_EQ(bisection_order(ComplexBuilder().add_vertices(30).build()).size(), 30u);
}

TEST(BisectionOrder, KeepsComponentsTogether) {
  ComplexBuilder two;  // even and odd vertices
  for (Vertex v = 0; v + 2 < 64; ++v) two.add({v, v + 2});
  const std::vector<Vertex> along = inverse_permutation(bisection_order(two.build()));
  int changes = 0;
  for (std::size_t i = 1; i < along.size(); ++i) changes += along[i] % 2 != along[i - 1] % 2;
  EXPECT_EQ(changes, 1);
}

TEST(BisectionOrder, APartIsOrderedAsIfItWereAlone) {
  const std::vector<SimplicialComplex> parts{shuffled_square(5, 1), shuffled_square(9, 2)};
  const DisjointUnion batch = disjoint_union(parts);
  const Vertex first = parts[0].count(0);
  std::vector<Vertex> expected = bisection_order(parts[1]);
  for (Vertex& name : expected) name += first;
  EXPECT_EQ(bisection_order(batch.complex, first, batch.complex.count(0)), expected);
  EXPECT_THROW(bisection_order(batch.complex, 3, batch.complex.count(0) + 1), Error);
}

}  // namespace
}  // namespace gsan
