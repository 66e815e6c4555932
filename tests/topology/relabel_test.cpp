#include "gsan/topology/relabel.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>
#ifdef GSAN_HAVE_RAPIDCHECK
#include <rapidcheck/gtest.h>
#endif

#include "gsan/core/check.h"
#include "gsan/topology/builder.h"

#include "support/random_complex.h"

namespace gsan {
namespace {

// The entries of B_k.
using Matrix = std::map<std::pair<Index, Index>, int>;

Matrix boundary_matrix(const SimplicialComplex& complex, int k) {
  Matrix entries;
  for (Index i = 0; i < complex.count(k); ++i) {
    for (int j = 0; j <= k; ++j) entries[{complex.faces(k, i)[j], i}] = face_sign(j);
  }
  return entries;
}

// P_{k−1} B_k P_k^T with P = diag(sign) · gather(source).
Matrix moved_boundary(const SimplicialComplex& complex, const MappedComplex& to, int k) {
  const Matrix old = boundary_matrix(complex, k);
  std::vector<Index> row_to(complex.count(k - 1)), column_to(complex.count(k));
  for (Index i = 0; i < complex.count(k - 1); ++i) row_to[to.source[k - 1][i]] = i;
  for (Index i = 0; i < complex.count(k); ++i) column_to[to.source[k][i]] = i;
  Matrix moved;
  for (const auto& [at, value] : old) {
    const Index row = row_to[at.first], column = column_to[at.second];
    moved[{row, column}] = to.sign[k - 1][row] * value * to.sign[k][column];
  }
  return moved;
}

// The same complex through the builder.
SimplicialComplex rebuilt(const SimplicialComplex& complex, std::span<const Vertex> new_name) {
  ComplexBuilder builder;
  for (int k = 0; k <= complex.order(); ++k) {
    for (Index i = 0; i < complex.count(k); ++i) {
      std::vector<Vertex> simplex;
      for (const Vertex v : complex.vertices(k, i)) simplex.push_back(new_name[v]);
      builder.add(simplex);
    }
  }
  return builder.build();
}

TEST(Relabel, SortsRowsAndKeepsTheSignOfSorting) {
  const SimplicialComplex complex = ComplexBuilder().add({0, 1, 2}).add({2, 3}).build();
  const MappedComplex to = relabel(complex, std::vector<Vertex>{2, 1, 0, 3});  // reverses the triangle
  EXPECT_EQ(to.source[0], (std::vector<Index>{2, 1, 0, 3}));
  EXPECT_EQ(to.source[1], (std::vector<Index>{2, 1, 3, 0}));  // new 01 02 03 12 were 12 02 23 01
  EXPECT_EQ(to.sign[1], (std::vector<std::int8_t>{-1, -1, 1, -1}));
  EXPECT_EQ(to.sign[2], (std::vector<std::int8_t>{-1}));
}

TEST(Relabel, IsTheComplexThatTheBuilderMakesWithTheSameTables) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const SimplicialComplex complex = random_complex(seed, {.max_order = 4});
    const std::vector<Vertex> new_name = random_permutation(complex.count(0), seed);
    const SimplicialComplex moved = relabel(complex, new_name).complex;
    const SimplicialComplex expected = rebuilt(complex, new_name);
    ASSERT_EQ(moved, expected) << complex;
    for (int k = 1; k <= complex.order(); ++k) {
      ASSERT_TRUE(std::ranges::equal(moved.face_table(k), expected.face_table(k))) << complex;
    }
  }
}

TEST(Relabel, RejectsWhatIsNoPermutation) {
  const SimplicialComplex complex = ComplexBuilder().add({0, 1}).add({1, 2}).build();
  EXPECT_THROW(relabel(complex, std::vector<Vertex>{0, 1}), Error);
  EXPECT_THROW(relabel(complex, std::vector<Vertex>{0, 1, 1}), Error);
  EXPECT_THROW(relabel(complex, std::vector<Vertex>{0, 1, 3}), Error);
  EXPECT_THROW(relabel(complex, std::vector<Vertex>{0, 1, -1}), Error);
}

#ifdef GSAN_HAVE_RAPIDCHECK
RC_GTEST_PROP(Relabel, BoundaryOfTheRelabelledIsTheSignedPermutedBoundary,
              (const SimplicialComplex& complex, std::uint64_t seed)) {
  const MappedComplex to = relabel(complex, random_permutation(complex.count(0), seed));
  for (int k = 1; k <= complex.order(); ++k) {
    RC_ASSERT(boundary_matrix(to.complex, k) == moved_boundary(complex, to, k));
  }
}

RC_GTEST_PROP(Relabel, IsUndoneByTheInversePermutation,
              (const SimplicialComplex& complex, std::uint64_t seed)) {
  const std::vector<Vertex> new_name = random_permutation(complex.count(0), seed);
  const MappedComplex there = relabel(complex, new_name);
  const MappedComplex back = relabel(there.complex, inverse_permutation(new_name));
  RC_ASSERT(back.complex == complex);
  for (int k = 0; k <= complex.order(); ++k) {
    for (Index i = 0; i < complex.count(k); ++i) {
      const Index between = back.source[k][i];
      RC_ASSERT(there.source[k][between] == i);
      RC_ASSERT(there.sign[k][between] * back.sign[k][i] == 1);
    }
  }
}
#endif

}  // namespace
}  // namespace gsan
