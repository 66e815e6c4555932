#include "gsan/hodge/harmonic_basis.h"

#include <gtest/gtest.h>

#include "gsan/core/check.h"

#include "hodge/dense_reference.h"
#include "hodge/mesh_samples.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

void expect_basis(const SimplicialComplex& complex, int k, std::int64_t dimension) {
  SCOPED_TRACE(testing::Message() << "order " << k << " of a complex with " << complex.count(0)
                                  << " vertices");
  const ComplexOperators operators(complex);
  const Tensor H = harmonic_basis(operators, k);
  ASSERT_EQ(H.sizes(), torch::IntArrayRef({complex.count(k), dimension}));
  EXPECT_LE(distance(H.t().mm(H), torch::eye(dimension, torch::kFloat64)), 1e-12);
  EXPECT_LE(distance(operators.laplacian(k, H), torch::zeros_like(H)), 1e-7);
}

TEST(HarmonicBasis, HasTheDimensionOfTheHomology) {
  expect_basis(wedge_of_circles(4), 0, 1);
  expect_basis(wedge_of_circles(4), 1, 4);
  const SimplicialComplex torus = sheet(7, 6, true);
  const SimplicialComplex tori = shuffled(copies(torus, 2));
  expect_basis(tori, 0, 2);
  expect_basis(tori, 1, 4);
  expect_basis(tori, 2, 2);
  expect_basis(shuffled(copies(sheet(12, 12, false, true), 3)), 1, 3);
  expect_basis(klein_bottle(6), 1, 1);
  expect_basis(klein_bottle(6), 2, 0);
  expect_basis(copies(path(1), 5), 0, 5);
  expect_basis(complete_complex(6, 2), 2, 10);
  expect_basis(solid(2), 1, 0);
}

TEST(HarmonicBasis, SpansTheKernelOfTheDenseLaplacian) {
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    for (int k = 0; k <= complex.order(); ++k) {
      const Tensor H = harmonic_basis(ComplexOperators(complex), k);
      EXPECT_LE(distance(dense_laplacian(complex, k).mm(H), torch::zeros_like(H)), 1e-7) << "seed " << seed;
      EXPECT_LE(distance(H.t().mm(H), torch::eye(H.size(1), torch::kFloat64)), 1e-12) << "seed " << seed;
    }
  }
}

TEST(HarmonicBasis, TheSeedChoosesABasisOfOneSpace) {
  const ComplexOperators operators(sheet(6, 5, true));
  const Tensor first = harmonic_basis(operators, 1), again = harmonic_basis(operators, 1);
  const Tensor other = harmonic_basis(operators, 1, {.seed = 9});
  EXPECT_TRUE(torch::equal(first, again));
  EXPECT_FALSE(torch::equal(first, other));
  EXPECT_LE(distance(first.mm(first.t()), other.mm(other.t())), 1e-7);
}

TEST(HarmonicBasis, OfNothingIsEmpty) {
  EXPECT_EQ(harmonic_basis(ComplexOperators(SimplicialComplex()), 0).sizes(), torch::IntArrayRef({0, 0}));
  EXPECT_THROW(harmonic_basis(ComplexOperators(path(3)), 2), Error);
}

}  // namespace
}  // namespace gsan
