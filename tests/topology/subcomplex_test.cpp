#include "gsan/topology/subcomplex.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#ifdef GSAN_HAVE_RAPIDCHECK
#include <rapidcheck/gtest.h>
#endif

#include "gsan/core/check.h"
#include "gsan/topology/builder.h"
#include "gsan/topology/star.h"

#include "support/random_complex.h"

namespace gsan {
namespace {

using Simplex = std::vector<Vertex>;
using SimplexSet = std::set<Simplex>;

Simplex simplex_at(const SimplicialComplex& complex, int k, Index i) {
  const auto vertices = complex.vertices(k, i);
  return {vertices.begin(), vertices.end()};
}

SimplexSet simplices(const SimplicialComplex& complex, const SimplexRows& rows) {
  SimplexSet set;
  for (int k = 0; k < static_cast<int>(rows.size()); ++k) {
    for (const Index i : rows[k]) set.insert(simplex_at(complex, k, i));
  }
  return set;
}

SimplexRows all_rows(const SimplicialComplex& complex) { return skeleton(complex, complex.order()).source; }

bool is_face(const Simplex& a, const Simplex& b) {
  return std::includes(b.begin(), b.end(), a.begin(), a.end());
}

bool meet(const Simplex& a, const Simplex& b) {
  return std::any_of(a.begin(), a.end(), [&](Vertex v) { return std::binary_search(b.begin(), b.end(), v); });
}

// A map into `complex` must be a complex of its own, whose rows are the sources renumbered.
void expect_consistent(const SimplicialComplex& complex, const MappedComplex& part) {
  std::vector<std::vector<Vertex>> tables;
  ASSERT_EQ(part.source.size(), static_cast<std::size_t>(part.complex.order() + 1));
  ASSERT_EQ(part.sign.size(), part.source.size());
  for (int k = 0; k <= part.complex.order(); ++k) {
    const auto table = part.complex.vertex_table(k);
    tables.emplace_back(table.begin(), table.end());
    ASSERT_EQ(part.source[k].size(), static_cast<std::size_t>(part.complex.count(k)));
    ASSERT_EQ(part.sign[k], std::vector<std::int8_t>(part.source[k].size(), 1));
    for (Index i = 0; i < part.complex.count(k); ++i) {
      Simplex named;
      for (const Vertex v : part.complex.vertices(k, i)) named.push_back(part.source[0][v]);
      ASSERT_EQ(named, simplex_at(complex, k, part.source[k][i]));
    }
  }
  const SimplicialComplex checked = SimplicialComplex::from_sorted_tables(std::move(tables));
  for (int k = 1; k <= checked.order(); ++k) {
    ASSERT_TRUE(std::ranges::equal(checked.face_table(k), part.complex.face_table(k)));
  }
}

// Some rows of every order.
SimplexRows random_rows(const SimplicialComplex& complex, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  SimplexRows rows(complex.order() + 1);
  for (int k = 0; k <= complex.order(); ++k) {
    for (std::uint64_t n = engine() % 3; n > 0; --n)
      rows[k].push_back(static_cast<Index>(engine() % complex.count(k)));
  }
  return rows;
}

TEST(Subcomplex, ClosureAddsTheFacesAndNothingElse) {
  const SimplicialComplex complex = ComplexBuilder().add({0, 1, 2}).add({1, 2, 3}).add({4, 5}).build();
  const MappedComplex part = subcomplex(complex, {{}, {}, {1}});  // (1 2 3)
  EXPECT_EQ(part.complex, ComplexBuilder().add({0, 1, 2}).build());
  EXPECT_EQ(part.source[0], (std::vector<Index>{1, 2, 3}));
  expect_consistent(complex, part);
}

TEST(Subcomplex, OfNothingIsEmpty) {
  const SimplicialComplex complex = random_complex(7);
  EXPECT_EQ(subcomplex(complex, {}).complex, SimplicialComplex());
  EXPECT_EQ(induced_subcomplex(complex, {}).complex, SimplicialComplex());
  EXPECT_EQ(skeleton(complex, -1).complex, SimplicialComplex());
  EXPECT_EQ(closed_star(complex, {}).complex, SimplicialComplex());
  EXPECT_EQ(link(SimplicialComplex(), {}).complex, SimplicialComplex());
}

TEST(Subcomplex, RejectsRowsThatDoNotExist) {
  const SimplicialComplex complex = ComplexBuilder().add({0, 1, 2}).build();
  EXPECT_THROW(subcomplex(complex, {{3}}), Error);
  EXPECT_THROW(subcomplex(complex, {{}, {-1}}), Error);
  EXPECT_THROW(subcomplex(complex, {{}, {}, {}, {0}}), Error);
  EXPECT_THROW(open_star(complex, {{3}}), Error);
  EXPECT_THROW(open_star(complex, {{}, {}, {}, {0}}), Error);
  EXPECT_THROW(induced_subcomplex(complex, std::vector<Vertex>{3}), Error);
  EXPECT_THROW(skeleton(complex, -2), Error);
  EXPECT_THROW(single_simplex(-1, 0), Error);
}

TEST(Star, LinkOfAnInnerVertexIsTheCircleAroundIt) {
  ComplexBuilder fan;  // hub 0, rim 1 … 6
  for (Vertex v = 1; v <= 6; ++v) fan.add({0, v, v % 6 + 1});
  const SimplicialComplex complex = fan.build();
  const MappedComplex rim = link(complex, single_simplex(0, 0));
  EXPECT_EQ(rim.source[0], (std::vector<Index>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(rim.complex.order(), 1);
  EXPECT_EQ(rim.complex.count(1), 6);
  EXPECT_EQ(closed_star(complex, single_simplex(0, 0)).complex, complex);
}

#ifdef GSAN_HAVE_RAPIDCHECK
RC_GTEST_PROP(Subcomplex, IsTheSmallestClosedSetWithTheChosenSimplices,
              (const SimplicialComplex& complex, std::uint64_t seed)) {
  const SimplexRows chosen = random_rows(complex, seed);
  const MappedComplex part = subcomplex(complex, chosen);
  expect_consistent(complex, part);
  SimplexSet expected;
  const SimplexSet picked = simplices(complex, chosen);
  for (const Simplex& s : simplices(complex, all_rows(complex))) {
    if (std::any_of(picked.begin(), picked.end(), [&](const Simplex& p) { return is_face(s, p); }))
      expected.insert(s);
  }
  RC_ASSERT(simplices(complex, part.source) == expected);
}

RC_GTEST_PROP(Subcomplex, InducedKeepsExactlyTheSimplicesOnKeptVertices,
              (const SimplicialComplex& complex, std::uint64_t mask)) {
  std::vector<Vertex> kept;
  for (Vertex v = complex.count(0) - 1; v >= 0; --v) {
    if (mask >> v & 1) kept.push_back(v);
  }
  const MappedComplex part = induced_subcomplex(complex, kept);
  expect_consistent(complex, part);
  SimplexSet expected;
  for (const Simplex& s : simplices(complex, all_rows(complex))) {
    if (std::all_of(s.begin(), s.end(), [&](Vertex v) { return mask >> v & 1; })) expected.insert(s);
  }
  RC_ASSERT(simplices(complex, part.source) == expected);
}

RC_GTEST_PROP(Subcomplex, SkeletonKeepsTheOrdersUpToK, (const SimplicialComplex& complex)) {
  for (int k = -1; k <= complex.order() + 1; ++k) {
    const MappedComplex part = skeleton(complex, k);
    expect_consistent(complex, part);
    RC_ASSERT(part.complex.order() == std::min(k, complex.order()));
    for (int order = 0; order <= part.complex.order(); ++order) {
      RC_ASSERT(part.complex.count(order) == complex.count(order));
    }
  }
}

RC_GTEST_PROP(Star, OpenStarIsEverySimplexAboveAChosenOne,
              (const SimplicialComplex& complex, std::uint64_t seed)) {
  const SimplexRows chosen = random_rows(complex, seed);
  const SimplexSet picked = simplices(complex, chosen);
  SimplexSet expected;
  for (const Simplex& s : simplices(complex, all_rows(complex))) {
    if (std::any_of(picked.begin(), picked.end(), [&](const Simplex& p) { return is_face(p, s); }))
      expected.insert(s);
  }
  RC_ASSERT(simplices(complex, open_star(complex, chosen)) == expected);
}

// For one simplex σ: the τ disjoint from σ with σ ∪ τ in the complex.
RC_GTEST_PROP(Star, LinkOfASimplexIsWhatJoinsIt, (const SimplicialComplex& complex, std::uint64_t seed)) {
  for (int k = 0; k <= complex.order(); ++k) {
    const auto i = static_cast<Index>(seed % complex.count(k));
    const Simplex sigma = simplex_at(complex, k, i);
    const MappedComplex around = link(complex, single_simplex(k, i));
    expect_consistent(complex, around);
    SimplexSet expected;
    for (const Simplex& tau : simplices(complex, all_rows(complex))) {
      Simplex joined;
      std::set_union(tau.begin(), tau.end(), sigma.begin(), sigma.end(), std::back_inserter(joined));
      if (!meet(tau, sigma) && complex.find(joined)) expected.insert(tau);
    }
    RC_ASSERT(simplices(complex, around.source) == expected);
  }
}

RC_GTEST_PROP(Star, LinkOfAVertexIsItsClosedStarWithoutItsOpenStar, (const SimplicialComplex& complex)) {
  for (Vertex v = 0; v < complex.count(0); ++v) {
    const SimplexSet open = simplices(complex, open_star(complex, single_simplex(0, v)));
    const SimplexSet around = simplices(complex, link(complex, single_simplex(0, v)).source);
    SimplexSet together = open;
    together.insert(around.begin(), around.end());
    RC_ASSERT(together.size() == open.size() + around.size());
    RC_ASSERT(together == simplices(complex, closed_star(complex, single_simplex(0, v)).source));
  }
}
#endif

}  // namespace
}  // namespace gsan
