#include "gsan/topology/homology.h"

#include <gtest/gtest.h>
#ifdef GSAN_HAVE_GUDHI
#include <gudhi/Persistent_cohomology.h>
#include <gudhi/Simplex_tree.h>
#endif
#ifdef GSAN_HAVE_RAPIDCHECK
#include <rapidcheck/gtest.h>
#endif

#include "gsan/core/check.h"
#include "gsan/core/random.h"
#include "gsan/topology/builder.h"
#include "gsan/topology/clique_complex.h"
#include "gsan/topology/disjoint_union.h"
#include "gsan/topology/examples.h"
#include "gsan/topology/random_graph.h"
#include "gsan/topology/relabel.h"
#include "gsan/topology/subcomplex.h"

#include "support/random_complex.h"

namespace gsan {
namespace {

using Betti = std::vector<Index>;

// All proper faces of one simplex: the sphere of dimension vertex_count − 2.
SimplicialComplex simplex_boundary(Vertex vertex_count) {
  ComplexBuilder builder;
  for (Vertex omitted = 0; omitted < vertex_count; ++omitted) {
    std::vector<Vertex> facet;
    for (Vertex v = 0; v < vertex_count; ++v) {
      if (v != omitted) facet.push_back(v);
    }
    builder.add(facet);
  }
  return builder.build();
}

// Cubes of an n × n × n block, six tetrahedra each, wrapped around into a 3-torus.
SimplicialComplex three_torus(Vertex n) {
  const auto at = [n](Vertex x, Vertex y, Vertex z) { return (x % n * n + y % n) * n + z % n; };
  constexpr int paths[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  ComplexBuilder builder;
  for (Vertex cube = 0; cube < n * n * n; ++cube) {
    for (const auto& path : paths) {
      Vertex corner[3] = {cube / (n * n), cube / n % n, cube % n};
      std::vector<Vertex> simplex{at(corner[0], corner[1], corner[2])};
      for (const int axis : path) {
        ++corner[axis];
        simplex.push_back(at(corner[0], corner[1], corner[2]));
      }
      builder.add(simplex);
    }
  }
  return builder.build();
}

// Every edge on n vertices, and `count` random triangles: near count = n² / 2 no pairing
// goes far, and the elimination has to do the work.
SimplicialComplex random_triangles(Vertex n, int count, std::uint64_t seed) {
  RandomStream random(seed, "triangles");
  ComplexBuilder builder;
  for (Vertex a = 0; a < n; ++a) {
    for (Vertex b = a + 1; b < n; ++b) builder.add({a, b});
  }
  for (int i = 0; i < count; ++i) {
    std::vector<Vertex> vertices = random.permutation(n);
    vertices.resize(3);
    builder.add(vertices);
  }
  return builder.build();
}

Betti betti_of_example(const char* name, std::int64_t field) {
  return betti_numbers(example_complex(name).complex, {.field = field});
}

TEST(Homology, SpheresHaveOneHoleInTheirDimension) {
  EXPECT_EQ(betti_of_example("sphere", 2147483647), (Betti{1, 0, 1}));
  EXPECT_EQ(betti_numbers(simplex_boundary(3)), (Betti{1, 1}));
  EXPECT_EQ(betti_numbers(simplex_boundary(4)), (Betti{1, 0, 1}));
  EXPECT_EQ(betti_numbers(simplex_boundary(5)), (Betti{1, 0, 0, 1}));
  EXPECT_EQ(betti_numbers(simplex_boundary(8)), (Betti{1, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(betti_numbers(simplex_boundary(2)), (Betti{2}));
}

TEST(Homology, ToriHaveBinomialBettiNumbers) {
  EXPECT_EQ(betti_of_example("torus", 2147483647), (Betti{1, 2, 1}));
  EXPECT_EQ(betti_numbers(three_torus(4)), (Betti{1, 3, 3, 1}));
}

TEST(Homology, KleinBottleDependsOnTheField) {
  EXPECT_EQ(betti_of_example("klein-bottle", 2), (Betti{1, 2, 1}));
  for (const std::int64_t p : {3LL, 7LL, 2147483647LL})
    EXPECT_EQ(betti_of_example("klein-bottle", p), (Betti{1, 1, 0}));
}

TEST(Homology, ProjectivePlaneDependsOnTheField) {
  EXPECT_EQ(betti_of_example("projective-plane", 2), (Betti{1, 1, 1}));
  for (const std::int64_t p : {3LL, 7LL, 2147483647LL}) {
    EXPECT_EQ(betti_of_example("projective-plane", p), (Betti{1, 0, 0}));
  }
}

// A triangulated disc whose boundary winds three times around a circle: torsion Z/3.
TEST(Homology, ThreefoldDunceCapHasTorsionAtThreeOnly) {
  ComplexBuilder builder;  // circle 0 1 2, ring 3 … 11, centre 12
  for (Vertex i = 0; i < 9; ++i) {
    const Vertex ring = 3 + i, next = 3 + (i + 1) % 9;
    builder.add({i % 3, (i + 1) % 3, ring}).add({(i + 1) % 3, ring, next}).add({ring, next, 12});
  }
  const SimplicialComplex cap = builder.build();
  EXPECT_EQ(betti_numbers(cap, {.field = 3}), (Betti{1, 1, 1}));
  EXPECT_EQ(betti_numbers(cap, {.field = 2}), (Betti{1, 0, 0}));
  EXPECT_EQ(betti_numbers(cap), (Betti{1, 0, 0}));
}

TEST(Homology, ExamplesHaveTheBettiNumbersTheyState) {
  for (const Example& example : examples()) {
    EXPECT_EQ(betti_numbers(example_complex(example.name).complex), example.betti) << example.name;
  }
}

TEST(Homology, CountsCirclesAndComponents) {
  ComplexBuilder wedge;  // four circles through vertex 0
  for (Vertex v = 1; v < 9; v += 2) wedge.add({0, v}).add({v, v + 1}).add({0, v + 1});
  EXPECT_EQ(betti_numbers(wedge.build(), {.field = 5}), (Betti{1, 4}));
  EXPECT_EQ(betti_numbers(ComplexBuilder().add_vertices(5).build()), (Betti{5}));
  EXPECT_EQ(betti_numbers(ComplexBuilder().add({1, 2}).add({4, 5}).build()), (Betti{4, 0}));
}

// A k × k patch of the plane, two triangles to a cell, with every cell (3i + 1, 3j + 1) left out.
TEST(Homology, CountsThePuncturesOfAPlane) {
  constexpr Vertex k = 13, holes = 4 * 4;
  ComplexBuilder plane;
  const auto at = [](Vertex i, Vertex j) { return i * (k + 1) + j; };
  for (Vertex i = 0; i < k; ++i) {
    for (Vertex j = 0; j < k; ++j) {
      if (i % 3 == 1 && j % 3 == 1) continue;
      plane.add({at(i, j), at(i + 1, j), at(i + 1, j + 1)}).add({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
    }
  }
  EXPECT_EQ(betti_numbers(plane.build()), (Betti{1, holes, 0}));
}

TEST(Homology, OfTheEmptyComplexIsNothing) {
  const Homology nothing = homology(SimplicialComplex());
  EXPECT_TRUE(nothing.betti.empty());
  EXPECT_EQ(euler_characteristic(SimplicialComplex()), 0);
}

TEST(Homology, RanksCompleteTheCounts) {
  const SimplicialComplex complex = example_complex("torus").complex;
  const Homology result = homology(complex);
  EXPECT_EQ(result.rank, (std::vector<Index>{0, 6, 13, 0}));
}

TEST(Homology, RejectsFieldsThatAreNone) {
  const SimplicialComplex complex = simplex_boundary(3);
  EXPECT_THROW(betti_numbers(complex, {.field = 1}), Error);
  EXPECT_THROW(betti_numbers(complex, {.field = 15}), Error);
  EXPECT_THROW(betti_numbers(complex, {.field = std::int64_t{1} << 31}), Error);
}

TEST(Homology, StopsAtTheMemoryLimit) {
  for (const std::size_t limit :
       {std::size_t{100}, std::size_t{250'000}}) {  // too little to pair, to eliminate
    try {
      betti_numbers(random_triangles(80, 3000, 1), {.max_memory = limit});
      FAIL() << "no error at " << limit;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::resource);
    }
  }
}

TEST(Homology, EliminationAgreesWithItselfAfterRelabelling) {
  for (const int count : {1500, 2500, 3200, 4000}) {
    const SimplicialComplex complex = random_triangles(80, count, static_cast<std::uint64_t>(count));
    const Betti betti = betti_numbers(complex);
    EXPECT_EQ(betti[0] - betti[1] + betti[2], euler_characteristic(complex));
    const SimplicialComplex other = relabel(complex, random_permutation(80, 9)).complex;
    EXPECT_EQ(betti_numbers(other), betti);
  }
}

#ifdef GSAN_HAVE_GUDHI
Betti gudhi_betti(const SimplicialComplex& complex, int field) {
  Gudhi::Simplex_tree<> tree;
  for (int k = 0; k <= complex.order(); ++k) {
    for (Index i = 0; i < complex.count(k); ++i) tree.insert_simplex(complex.vertices(k, i));
  }
  tree.initialize_filtration();
  using Field = Gudhi::persistent_cohomology::Field_Zp;
  Gudhi::persistent_cohomology::Persistent_cohomology<Gudhi::Simplex_tree<>, Field> persistence(tree, true);
  persistence.init_coefficients(field);
  persistence.compute_persistent_cohomology(0);
  const std::vector<int> betti = persistence.betti_numbers();
  return {betti.begin(), betti.end()};
}

TEST(Homology, AgreesWithGudhiOnRandomComplexes) {
  for (std::uint64_t seed = 1; seed < 200; ++seed) {
    const SimplicialComplex complex = random_complex(seed, {.max_order = 4, .max_vertices = 14});
    if (complex.order() < 0) continue;
    for (const int p : {2, 3, 101})
      ASSERT_EQ(betti_numbers(complex, {.field = p}), gudhi_betti(complex, p)) << complex;
  }
}

TEST(Homology, AgreesWithGudhiOnCliqueComplexes) {
  for (const auto& [vertices, edges] : {std::pair<Index, Index>{30, 150}, {40, 300}, {60, 400}, {25, 200}}) {
    RandomStream random(static_cast<std::uint64_t>(vertices), "graph");
    const SimplicialComplex complex = clique_complex(erdos_renyi(vertices, edges, random), vertices, 3);
    for (const int p : {2, 11}) EXPECT_EQ(betti_numbers(complex, {.field = p}), gudhi_betti(complex, p));
  }
}

TEST(Homology, AgreesWithGudhiWhereEliminationDoesTheWork) {
  for (const int count : {400, 500, 600, 800}) {
    const SimplicialComplex complex = random_triangles(32, count, static_cast<std::uint64_t>(count));
    for (const int p : {2, 3, 101}) EXPECT_EQ(betti_numbers(complex, {.field = p}), gudhi_betti(complex, p));
  }
}
#endif

#ifdef GSAN_HAVE_RAPIDCHECK
RC_GTEST_PROP(Homology, AlternatingSumIsTheEulerCharacteristic, (const SimplicialComplex& complex)) {
  for (const std::int64_t p : {2LL, 2147483647LL}) {
    const Betti betti = betti_numbers(complex, {.field = p});
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < betti.size(); ++k) {
      RC_ASSERT(betti[k] >= 0);
      sum += (k % 2 == 0 ? 1 : -1) * std::int64_t{betti[k]};
    }
    RC_ASSERT(sum == euler_characteristic(complex));
  }
}

RC_GTEST_PROP(Homology, DoesNotDependOnTheNamesOfVertices,
              (const SimplicialComplex& complex, std::uint64_t seed)) {
  RC_ASSERT(betti_numbers(relabel(complex, random_permutation(complex.count(0), seed)).complex) ==
            betti_numbers(complex));
}

RC_GTEST_PROP(Homology, OfAUnionIsTheSum, (const SimplicialComplex& a, const SimplicialComplex& b)) {
  const std::vector<SimplicialComplex> parts{a, b};
  const SimplicialComplex joined = disjoint_union(parts).complex;
  Betti sum = betti_numbers(a), other = betti_numbers(b);
  sum.resize(std::max(sum.size(), other.size()), 0);
  for (std::size_t k = 0; k < other.size(); ++k) sum[k] += other[k];
  RC_ASSERT(betti_numbers(joined) == sum);
  for (int k = 0; k <= joined.order(); ++k) RC_ASSERT(joined.count(k) == a.count(k) + b.count(k));
}

// H_k sees orders k and k + 1 only.
RC_GTEST_PROP(Homology, OfASkeletonAgreesBelowItsTop, (const SimplicialComplex& complex)) {
  const Betti betti = betti_numbers(complex);
  for (int k = 0; k < complex.order(); ++k) {
    const Betti lower = betti_numbers(skeleton(complex, k).complex);
    for (int j = 0; j < k; ++j) RC_ASSERT(lower[j] == betti[j]);
  }
}

RC_GTEST_PROP(Homology, OfAConeIsThatOfAPoint, (const SimplicialComplex& complex)) {
  ComplexBuilder cone;
  const Vertex apex = complex.count(0);
  cone.add({apex});
  for (int k = 0; k <= complex.order(); ++k) {
    for (Index i = 0; i < complex.count(k); ++i) {
      std::vector<Vertex> simplex(complex.vertices(k, i).begin(), complex.vertices(k, i).end());
      simplex.push_back(apex);
      cone.add(simplex);
    }
  }
  Betti point(complex.order() + 2, 0);
  point[0] = 1;
  RC_ASSERT(betti_numbers(cone.build(), {.field = 2}) == point);
}
#endif

}  // namespace
}  // namespace gsan
