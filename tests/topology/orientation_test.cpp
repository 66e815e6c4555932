#include "gsan/topology/orientation.h"

#include <gtest/gtest.h>
#ifdef GSAN_HAVE_RAPIDCHECK
#include <rapidcheck/gtest.h>
#endif

#include "gsan/topology/builder.h"

#include "support/random_complex.h"

namespace gsan {
namespace {

SimplicialComplex triangle() { return ComplexBuilder().add({0, 1, 2}).build(); }

TEST(Orientation, IdentityKeepsSignsAndValues) {
  const SimplicialComplex complex = triangle();
  const Orientation same = Orientation::identity(complex);
  std::vector<double> flow{1, -2, 3};
  same.apply<double>(1, flow);
  EXPECT_EQ(flow, (std::vector<double>{1, -2, 3}));
  for (int j = 0; j < 3; ++j) EXPECT_EQ(same.boundary_sign(complex, 2, 0, j), face_sign(j));
}

TEST(Orientation, FlipsEveryColumnOfARow) {
  const Orientation flipped(triangle(), {{1, 1, 1}, {1, -1, 1}, {1}});
  std::vector<float> flow{1, 2, 3, 4, 5, 6};  // [3, 2]
  flipped.apply<float>(1, flow);
  EXPECT_EQ(flow, (std::vector<float>{1, 2, -3, -4, 5, 6}));
}

TEST(Orientation, RandomDependsOnTheStreamAloneAndHasBothSigns) {
  const SimplicialComplex complex = random_complex(7, {.max_vertices = 30});
  const Orientation first = Orientation::random(complex, RandomStream(1, "orientation"));
  EXPECT_EQ(first, Orientation::random(complex, RandomStream(1, "orientation")));
  EXPECT_NE(first, Orientation::random(complex, RandomStream(2, "orientation")));
  const auto signs = first.signs(1);
  EXPECT_NE(std::count(signs.begin(), signs.end(), 1), 0);
  EXPECT_NE(std::count(signs.begin(), signs.end(), -1), 0);
}

TEST(Orientation, RejectsWhatDoesNotFitTheComplex) {
  EXPECT_THROW(Orientation(triangle(), {{1, 1, 1}, {1, 1, 1}}), Error);       // an order is missing
  EXPECT_THROW(Orientation(triangle(), {{1, 1, 1}, {1, 1}, {1}}), Error);     // too short
  EXPECT_THROW(Orientation(triangle(), {{1, 1, 1}, {1, 0, 1}, {1}}), Error);  // not ±1
  std::vector<double> flow{1, 2};
  EXPECT_THROW(Orientation::identity(triangle()).apply<double>(1, flow), Error);  // 3 edges
  EXPECT_THROW(Orientation::identity(triangle()).apply<double>(3, flow), Error);  // no such order
}

TEST(Orientation, OfTheEmptyComplexIsEmpty) {
  const Orientation nothing = Orientation::random(SimplicialComplex(), RandomStream(1, "orientation"));
  EXPECT_EQ(nothing.order(), -1);
  EXPECT_TRUE(nothing.signs(0).empty());
}

#ifdef GSAN_HAVE_RAPIDCHECK
// Σ_j over faces, and over their faces: the re-oriented B_{k−1} B_k.
RC_GTEST_PROP(Orientation, BoundaryOfTheBoundaryStaysZero,
              (const SimplicialComplex& complex, std::uint64_t seed)) {
  const Orientation o = Orientation::random(complex, RandomStream(seed, "orientation"));
  for (int k = 2; k <= complex.order(); ++k) {
    for (Index i = 0; i < complex.count(k); ++i) {
      std::vector<int> sum(complex.count(k - 2), 0);
      for (int j = 0; j <= k; ++j) {
        const Index face = complex.faces(k, i)[j];
        for (int l = 0; l < k; ++l) {
          sum[complex.faces(k - 1, face)[l]] +=
              o.boundary_sign(complex, k, i, j) * o.boundary_sign(complex, k - 1, face, l);
        }
      }
      RC_ASSERT(std::all_of(sum.begin(), sum.end(), [](int s) { return s == 0; }));
    }
  }
}

// diag(o_{k−1}) (B x) = (diag(o_{k−1}) B diag(o_k)) (diag(o_k) x)
RC_GTEST_PROP(Orientation, CommutesWithTheBoundary, (const SimplicialComplex& complex, std::uint64_t seed)) {
  const Orientation o = Orientation::random(complex, RandomStream(seed, "orientation"));
  for (int k = 1; k <= complex.order(); ++k) {
    std::vector<int> x(complex.count(k)), plain(complex.count(k - 1), 0), oriented(complex.count(k - 1), 0);
    for (Index i = 0; i < complex.count(k); ++i) x[i] = i % 7 - 3;
    for (Index i = 0; i < complex.count(k); ++i) {
      for (int j = 0; j <= k; ++j) plain[complex.faces(k, i)[j]] += face_sign(j) * x[i];
    }
    o.apply<int>(k, x);
    for (Index i = 0; i < complex.count(k); ++i) {
      for (int j = 0; j <= k; ++j)
        oriented[complex.faces(k, i)[j]] += o.boundary_sign(complex, k, i, j) * x[i];
    }
    o.apply<int>(k - 1, plain);
    RC_ASSERT(plain == oriented);
  }
}

RC_GTEST_PROP(Orientation, IsItsOwnInverse, (const SimplicialComplex& complex, std::uint64_t seed)) {
  const Orientation o = Orientation::random(complex, RandomStream(seed, "orientation"));
  RC_ASSERT(o.then(o) == Orientation::identity(complex));
}
#endif

}  // namespace
}  // namespace gsan
