#include "gsan/hodge/harmonic_basis.h"

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/hodge/solve/random_signal.h"

#include "hodge/dense_reference.h"
#include "hodge/mesh_samples.h"
#include "support/expect_error.h"
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

TEST(HarmonicPart, IsTheHarmonicPartOfTheDecompositionAndItsOwnGradient) {
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const ComplexOperators operators(complex);
    for (int k = 0; k <= complex.order(); ++k) {
      const Tensor x = random_signal(2 * complex.count(k), 3, concat("x", seed), torch::kFloat64)
                           .view({2, -1, 3})
                           .requires_grad_();
      const Tensor part = harmonic_part(operators, k, x);
      const Tensor expected = HodgeSolver(operators, {1e-10}).hodge(k, x.detach()[1]).harmonic;
      EXPECT_LE(distance(part[1].detach(), expected), 1e-7) << "seed " << seed << ", order " << k;
      const Tensor g =
          random_signal(2 * complex.count(k), 3, concat("g", seed), torch::kFloat64).view({2, -1, 3});
      part.backward(g);
      EXPECT_LE(distance(x.grad(), harmonic_part(operators, k, g)), 1e-12) << "seed " << seed;
    }
  }
}

TEST(HarmonicPart, FollowsAReOrientation) {
  const SimplicialComplex complex = sheet(6, 5, true);
  const ComplexOperators operators(complex);
  const Orientation coins = Orientation::random(complex, RandomStream(3, "coins"));
  const ComplexOperators oriented = operators.oriented(coins);
  const Tensor o = oriented.signs(1).to(torch::kFloat64).unsqueeze(-1);
  ASSERT_LT(o.sum().abs().item<double>(), static_cast<double>(o.numel()));  // some edges did turn
  const Tensor x = random_signal(complex.count(1), 2, "x", torch::kFloat64);
  EXPECT_LE(distance(harmonic_part(oriented, 1, o * x), o * harmonic_part(operators, 1, x)), 1e-12);
}

TEST(HarmonicPart, AsksBeforeItTakesMoreMemoryThanItMay) {
  const ComplexOperators operators(complete_complex(12, 2), {.max_memory = 4096});
  expect_error(Fault::resource, {"harmonic_part", "harmonic signals", "order 2", "max_memory"}, [&] {
    harmonic_part(operators, 2, torch::ones({operators.count(2), 1}));
  });
}

TEST(HarmonicBasis, OfNothingIsEmpty) {
  EXPECT_EQ(harmonic_basis(ComplexOperators(SimplicialComplex()), 0).sizes(), torch::IntArrayRef({0, 0}));
  EXPECT_THROW(harmonic_basis(ComplexOperators(path(3)), 2), Error);
}

}  // namespace
}  // namespace gsan
