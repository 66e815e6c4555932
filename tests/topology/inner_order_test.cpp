#include "gsan/topology/inner_order.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include <gtest/gtest.h>

#include "gsan/topology/bisection_order.h"
#include "gsan/topology/builder.h"
#include "gsan/topology/clique_complex.h"
#include "gsan/topology/disjoint_union.h"
#include "gsan/topology/random_graph.h"
#include "gsan/topology/relabel.h"

#include "support/random_complex.h"

namespace gsan {
namespace {

// A long band of triangles, whose edges are twice its vertices.
SimplicialComplex strip(Vertex length) {
  ComplexBuilder builder;
  for (Vertex v = 0; v + 2 < length; ++v) builder.add({v, v + 1, v + 2});
  return builder.build();
}

SimplicialComplex shuffled(const SimplicialComplex& complex, std::uint64_t seed) {
  return relabel(complex, random_permutation(complex.count(0), seed)).complex;
}

constexpr Vertex large = least_reordered_rows / 2 + 2;  // vertices of a strip that is large by its edges

std::vector<Vertex> names_of(const SimplicialComplex& complex, VertexOrder order = VertexOrder::automatic) {
  std::vector<std::vector<Index>> whole;
  for (int k = 0; k <= complex.order(); ++k) whole.push_back({0, complex.count(k)});
  return inner_names(complex, order, whole);
}

TEST(InnerOrder, ALargeComplexInNoOrderIsReordered) {
  const SimplicialComplex complex = shuffled(strip(large), 1);
  ASSERT_GE(complex.count(1), least_reordered_rows);
  EXPECT_EQ(names_of(complex), bisection_order(complex));
  // The rule reads the complex alone: another one with the same simplices has the same names.
  EXPECT_EQ(names_of(shuffled(strip(large), 1)), names_of(complex));
}

TEST(InnerOrder, SizeIsThatOfTheLargestOrderAlone) {
  const Vertex edges = least_reordered_rows - 1;  // 2 n − 3 edges
  const SimplicialComplex below = shuffled(strip((edges + 3) / 2), 2);
  ASSERT_EQ(below.count(1), edges);
  EXPECT_TRUE(names_of(below).empty());
  EXPECT_FALSE(names_of(below, VertexOrder::cuthill_mckee).empty());
}

TEST(InnerOrder, AnOrderThatIsGoodAlreadyIsKept) {
  EXPECT_TRUE(names_of(strip(large)).empty());
  const SimplicialComplex along =
      relabel(shuffled(strip(large), 3), names_of(shuffled(strip(large), 3))).complex;
  EXPECT_TRUE(names_of(along).empty());
}

TEST(InnerOrder, AGraphThatNoOrderHelpsIsLeftAlone) {
  RandomStream random(1, "edges");
  const Index vertices = 6000, edges = least_reordered_rows;
  EXPECT_TRUE(names_of(clique_complex(erdos_renyi(vertices, edges, random), vertices, 1)).empty());
}

TEST(InnerOrder, NoneIsNone) {
  EXPECT_TRUE(names_of(shuffled(strip(large), 1), VertexOrder::given).empty());
  for (const VertexOrder order :
       {VertexOrder::automatic, VertexOrder::bisection, VertexOrder::cuthill_mckee}) {
    EXPECT_TRUE(names_of(SimplicialComplex(), order).empty());
    ComplexBuilder points;
    points.add_vertices(least_reordered_rows);
    EXPECT_TRUE(names_of(points.build(), order).empty());
  }
}

TEST(InnerOrder, EveryPartOfABatchIsJudgedAndOrderedAsIfItWereAlone) {
  const std::vector<SimplicialComplex> parts{shuffled(strip(40), 1), shuffled(strip(large), 2),
                                             SimplicialComplex(), strip(large), shuffled(strip(large), 5)};
  const DisjointUnion batch = disjoint_union(parts);
  for (const VertexOrder order :
       {VertexOrder::automatic, VertexOrder::bisection, VertexOrder::cuthill_mckee}) {
    const std::vector<Vertex> found = inner_names(batch.complex, order, batch.offsets);
    ASSERT_EQ(found.size(), static_cast<std::size_t>(batch.complex.count(0)));
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const Vertex first = batch.offsets[0][p];
      std::vector<Vertex> expected = names_of(parts[p], order);
      EXPECT_EQ(expected.empty(), order == VertexOrder::automatic ? p != 1 && p != 4 : p == 2) << p;
      if (expected.empty()) {
        expected.resize(static_cast<std::size_t>(parts[p].count(0)));
        std::iota(expected.begin(), expected.end(), 0);
      }
      for (std::size_t v = 0; v < expected.size(); ++v)
        ASSERT_EQ(found[static_cast<std::size_t>(first) + v], expected[v] + first) << p;
    }
  }
  const DisjointUnion small = disjoint_union(std::vector(1000, strip(40)));  // large together
  EXPECT_TRUE(inner_names(small.complex, VertexOrder::automatic, small.offsets).empty());
}

TEST(InnerOrder, BitsOfAnArrangementAreThoseOfItsDistances) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const std::vector<Vertex> names = random_permutation(complex.count(0), seed);
    std::int64_t given = 0, renamed = 0;
    for (Index e = 0; e < complex.count(1); ++e) {
      const auto ends = complex.vertices(1, e);
      for (Vertex distance = ends[1] - ends[0]; distance > 0; distance /= 2) ++given;
      for (Vertex distance = std::abs(names[ends[1]] - names[ends[0]]); distance > 0; distance /= 2)
        ++renamed;
    }
    EXPECT_EQ(arrangement_bits(complex, 0, complex.count(0)), given);
    EXPECT_EQ(arrangement_bits(complex, 0, complex.count(0), names), renamed);
  }
}

}  // namespace
}  // namespace gsan
