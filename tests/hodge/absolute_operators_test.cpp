// Operators without signs (spec 9): |B| in every product, the same neighbours, no harmonic part.

#include <gtest/gtest.h>

#include "gsan/hodge/bounded_shift.h"
#include "gsan/hodge/decomposition.h"
#include "gsan/hodge/harmonic.h"
#include "gsan/hodge/harmonic_basis.h"
#include "gsan/hodge/side_operator.h"
#include "gsan/hodge/spectral/lambda.h"

#include "hodge/dense_reference.h"
#include "support/expect_error.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

double distance(const Tensor& a, const Tensor& b) {
  EXPECT_EQ(a.sizes(), b.sizes());
  return a.numel() == 0 ? 0 : (a - b).abs().max().item<double>();
}

Tensor eye(std::int64_t n) { return torch::eye(n, torch::kFloat64); }

TEST(AbsoluteOperators, AreTheAbsoluteValuesOfBAndOfItsScalings) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const ComplexOperators operators = ComplexOperators(complex).absolute();
    for (int k = 0; k <= complex.order() + 1; ++k) {
      const Incidence& B = operators.incidence(k);
      const Tensor dense = dense_boundary(complex, k).abs();
      EXPECT_TRUE(B.is_absolute());
      EXPECT_EQ(distance(B.boundary(eye(dense.size(1))), dense), 0) << k;
      EXPECT_EQ(distance(B.coboundary(eye(dense.size(0))), dense.t()), 0) << k;
      // The factors keep their signs.
      const Tensor r = torch::linspace(-1, 2, dense.size(0), torch::kFloat64),
                   c = torch::linspace(2, -1, dense.size(1), torch::kFloat64);
      const Tensor scaled = r.unsqueeze(-1) * dense * c;
      EXPECT_LE(distance(B.scaled(r, c).boundary(eye(dense.size(1))), scaled), 1e-14);
    }
  }
}

TEST(AbsoluteOperators, HaveTheLaplaciansEigenvaluesAndNormalisationsOfAbsoluteB) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const ComplexOperators operators = ComplexOperators(complex).absolute();
    for (int k = 0; k <= complex.order(); ++k) {
      const Tensor below = dense_boundary(complex, k).abs(), above = dense_boundary(complex, k + 1).abs();
      const Tensor lower = below.t().mm(below), upper = above.mm(above.t());
      EXPECT_LE(distance(operators.laplacian(k, eye(lower.size(0))), lower + upper), 1e-13);
      const double largest = lower.numel() == 0 ? 0 : at::linalg_eigvalsh(lower + upper).max().item<double>();
      EXPECT_NEAR(operators.lambda_max(k).item<double>(), largest, 1e-4 * (1 + largest));
      for (const Side side : {Side::lower, Side::upper}) {
        if (side == Side::lower ? k == 0 : k == complex.order()) continue;
        const Tensor& L = side == Side::lower ? lower : upper;
        const auto shift = [&](Normalization kind) {
          return side_shift(operators, k, side, kind, 0, complex.order(), torch::kFloat64)
              .apply(eye(L.size(0)));
        };
        EXPECT_LE(distance(shift(Normalization::lambda_max), L / largest), 1e-4);
        EXPECT_LE(distance(shift(Normalization::signed_adjacency), L - torch::diag(L.diagonal())), 1e-13);
        const Tensor root = torch::diag((L.diagonal() + 1).rsqrt());
        const Tensor kipf = root.mm(L - torch::diag(L.diagonal()) + eye(L.size(0))).mm(root);
        EXPECT_LE(distance(shift(Normalization::renormalized), kipf), 1e-13) << "Kipf's form on order " << k;
      }
    }
  }
}

TEST(AbsoluteOperators, AreAViewThatSharesNeighboursAndLeavesTheSignsAlone) {
  const ComplexOperators operators(random_complex(3));
  const ComplexOperators absolute = operators.absolute();
  EXPECT_FALSE(operators.is_absolute());
  EXPECT_TRUE(absolute.is_absolute());
  EXPECT_EQ(&operators.pair_list(1, Side::lower), &absolute.pair_list(1, Side::lower));
  EXPECT_NE(operators.lambda_max(1).item<double>(), absolute.lambda_max(1).item<double>());
  EXPECT_LT(operators.incidence(1).boundary(eye(operators.count(1))).min().item<double>(), 0);
  const DerivedKey asked = {"lambda_max", {1}, true};
  const auto keys = operators.derived_keys();
  EXPECT_NE(std::find(keys.begin(), keys.end(), asked), keys.end());
  const ComplexOperators ahead(random_complex(3));
  ahead.derive(keys);
  const auto made = ahead.derived_keys();
  EXPECT_NE(std::find(made.begin(), made.end(), asked), made.end());
}

TEST(AbsoluteOperators, DoNotSeeAReorientation) {
  const SimplicialComplex complex = random_complex(4);
  const ComplexOperators operators(complex);
  const RandomStream stream(1, "orientation");
  const ComplexOperators turned = operators.oriented(Orientation::random(complex, stream)).absolute();
  for (int k = 1; k <= complex.order(); ++k) {
    const Tensor I = eye(complex.count(k));
    EXPECT_TRUE(torch::equal(turned.incidence(k).boundary(I), operators.absolute().incidence(k).boundary(I)));
  }
}

TEST(AbsoluteOperators, OfABatchAreThoseOfItsParts) {
  std::vector<ComplexOperators> parts{ComplexOperators(random_complex(1)),
                                      ComplexOperators(random_complex(2))};
  const ComplexOperators joined = ComplexOperators::joined(parts).absolute();
  const ComplexOperators all =
      ComplexOperators(disjoint_union(std::vector<SimplicialComplex>{parts[0].complex(), parts[1].complex()}))
          .absolute();
  for (int k = 0; k <= 1; ++k) EXPECT_LE(distance(joined.lambda_max(k), all.lambda_max(k)), 1e-4);
  expect_error(Fault::argument, {"joined", "without signs", "absolute() of the batch"},
               [&] { ComplexOperators::joined({parts[0].absolute()}); });
}

TEST(AbsoluteOperators, HaveNoHarmonicPart) {
  const ComplexOperators operators = ComplexOperators(random_complex(3)).absolute();
  expect_error(Fault::argument, {"HarmonicProjector", "without signs", "skip"},
               [&] { HarmonicProjector(operators, 1, {}); });
  expect_error(Fault::argument, {"harmonic_basis", "without signs"}, [&] { harmonic_basis(operators, 1); });
  expect_error(Fault::argument, {"HodgeSolver", "without signs"}, [&] { HodgeSolver solver(operators); });
  expect_error(Fault::argument, {"LaplacianShift", "B_2 alone as |B|"}, [&] {
    LaplacianShift(ComplexOperators(operators.complex()).incidence(1), operators.incidence(2), Side::both);
  });
}

TEST(BoundedShift, IsTheLaplacianOverItsBoundOfEachPartAndHead) {
  const SimplicialComplex one = random_complex(2), other = random_complex(5);
  const ComplexOperators operators(disjoint_union(std::vector<SimplicialComplex>{one, other}));
  const int k = 1;
  const auto factors = [](std::int64_t rows) {
    return torch::linspace(0.2, 3, 2 * rows, torch::kFloat64).view({rows, 2});
  };
  const Incidence lower =
      operators.incidence(k).scaled(factors(operators.count(k - 1)), factors(operators.count(k)));
  const Incidence upper =
      operators.incidence(k + 1).scaled(factors(operators.count(k)), factors(operators.count(k + 1)));
  const BoundedShift shift(lower, upper, Side::both, operators.parts(k));
  const Tensor x = torch::randn({operators.count(k), 8}, torch::kFloat64);
  const Tensor y = shift.apply(x), L = LaplacianShift(lower, upper, Side::both).apply(x);
  const Tensor bound = lambda_bound(lower, upper, operators.parts(k));  // [2, 2]
  const std::int64_t first = one.count(k);
  for (int part = 0; part < 2; ++part)
    for (int head = 0; head < 2; ++head) {
      const auto piece = [&](const Tensor& t) {
        return t.slice(0, part ? first : 0, part ? t.size(0) : first).slice(1, 4 * head, 4 * head + 4);
      };
      EXPECT_LE(distance(piece(y), piece(L) / bound[part][head].item<double>()), 1e-13);
    }
}

}  // namespace
}  // namespace gsan
