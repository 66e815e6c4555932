#include "gsan/hodge/spectral/lambda.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/hodge/spectral/detail/lanczos.h"
#include "gsan/topology/disjoint_union.h"

#include "hodge/dense_reference.h"
#include "hodge/sample_complexes.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

double dense_lambda_max(const Tensor& L) {
  return L.numel() == 0 ? 0 : at::linalg_eigvalsh(L).max().item<double>();
}

double bound(const SimplicialComplex& complex, int k) {
  return lambda_bound(Incidence(complex, k), Incidence(complex, k + 1)).item<double>();
}

double largest(const SimplicialComplex& complex, int k, double tolerance = 1e-10) {
  return lambda_max(Incidence(complex, k), Incidence(complex, k + 1), tolerance);
}

TEST(Lambda, BoundIsTheLargestRowSumBeforeCancellation) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    for (int k = 0; k <= complex.order(); ++k) {
      const Tensor down = dense_lower_laplacian(complex, k).abs(),
                   up = dense_upper_laplacian(complex, k).abs();
      EXPECT_EQ(bound(complex, k), (down + up).sum(1).max().item<double>());
    }
  }
}

TEST(Lambda, LanczosFindsTheLargestEigenvalueBelowTheBound) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const SimplicialComplex complex = random_complex(seed, {3, 20});
    for (int k = 0; k <= complex.order(); ++k) {
      const double truth = dense_lambda_max(dense_laplacian(complex, k));
      EXPECT_NEAR(largest(complex, k), truth, 1e-9 * (1 + truth));
      EXPECT_LE(truth, bound(complex, k) * (1 + 1e-12));
    }
  }
}

TEST(Lambda, MultipleEigenvaluesDoNotDisturbLanczos) {
  EXPECT_NEAR(largest(cycle(200), 0), 4, 1e-8);  // even: simple, among a crowd of double ones
  EXPECT_NEAR(largest(cycle(101), 0), 2 + 2 * std::cos(M_PI / 101), 1e-8);  // double
  EXPECT_NEAR(largest(complete_complex(9, 2), 1), 9, 1e-9);                 // L_1 = 9 I
  EXPECT_NEAR(largest(complete_complex(9, 2), 2), 9, 1e-9);                 // 9 many times, else 0
  const std::vector<SimplicialComplex> copies(30, sheet(3, 3));
  EXPECT_NEAR(largest(disjoint_union(copies).complex, 1), largest(copies[0], 1), 1e-8);
}

TEST(Lambda, LanczosRestartsOnLargeComplexesAndStaysBelowTheTruth) {
  const SimplicialComplex torus = sheet(20, 17, /*periodic=*/true);
  for (int k = 0; k <= 2; ++k) {
    const double truth = dense_lambda_max(dense_laplacian(torus, k));
    const LaplacianShift laplacian(ComplexOperators(torus), k, Side::both);
    const LargestEigenvalue found = largest_eigenvalue(laplacian, torus.count(k), torch::kFloat64);
    EXPECT_GT(found.products, LanczosOptions{}.basis);
    EXPECT_LE(found.value, truth * (1 + 1e-14));
    EXPECT_GE(found.value, truth * (1 - 1e-5));
    EXPECT_LE(found.residual, 1e-5 * truth);
  }
}

TEST(Lambda, LanczosSaysWhenItStops) {
  const LaplacianShift laplacian(ComplexOperators(cycle(500)), 0, Side::both);
  LanczosOptions options;
  options.max_products = 10;
  try {
    largest_eigenvalue(laplacian, 500, torch::kFloat64, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::numeric);
  }
}

TEST(Lambda, NotANumberIsAnError) {
  const SimplicialComplex complex = cycle(40);
  const Tensor scale = torch::full({40}, std::nan(""), torch::kFloat64);
  const Incidence lower(complex, 0), upper = Incidence(complex, 1).scaled(scale, {});
  try {
    lambda_max(lower, upper);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::numeric);
  }
}

TEST(Lambda, Float32) {
  const LaplacianShift laplacian(ComplexOperators(cycle(100)), 0, Side::both);
  EXPECT_NEAR(largest_eigenvalue(laplacian, 100, torch::kFloat32).value, 4, 1e-4);
}

TEST(Lambda, OfScaledOperators) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    if (complex.order() < 1) continue;
    const auto scale = [&](int order) {
      return random_signal(complex.count(order), 1, "scale", torch::kFloat64).squeeze(-1);
    };
    const Incidence lower = Incidence(complex, 1).scaled(scale(0), scale(1));
    const Incidence upper = Incidence(complex, 2).scaled(scale(1), {});
    const Tensor B = dense_boundary(complex, 1) * scale(0).unsqueeze(-1) * scale(1);
    const Tensor C = dense_boundary(complex, 2) * scale(1).unsqueeze(-1);
    const double truth = dense_lambda_max(B.t().mm(B) + C.mm(C.t()));
    EXPECT_NEAR(lambda_max(lower, upper, 1e-10), truth, 1e-9 * truth);
    const Tensor row_sums = (B.abs().t().mm(B.abs()) + C.abs().mm(C.abs().t())).sum(1);
    EXPECT_NEAR(lambda_bound(lower, upper).item<double>(), row_sums.max().item<double>(), 1e-12 * truth);
    EXPECT_LE(truth, lambda_bound(lower, upper).item<double>() * (1 + 1e-12));
  }
}

TEST(Lambda, EachPartOfABatchHasItsOwnBound) {
  std::vector<SimplicialComplex> parts;
  for (std::uint64_t seed = 0; seed < 24; ++seed) parts.push_back(random_complex(seed));
  const DisjointUnion batch = disjoint_union(parts);
  for (int k = 0; k <= batch.complex.order(); ++k) {
    const Tensor bounds =
        lambda_bound(Incidence(batch.complex, k), Incidence(batch.complex, k + 1), batch.offsets[k]);
    ASSERT_EQ(bounds.size(0), 24);
    for (int p = 0; p < 24; ++p) EXPECT_EQ(bounds[p].item<double>(), bound(parts[p], k));
  }
}

TEST(Lambda, EachPartOfABatchHasItsOwnLargestEigenvalue) {
  std::vector<SimplicialComplex> parts;
  for (std::uint64_t seed = 0; seed < 24; ++seed) parts.push_back(random_complex(seed, {3, 20}));
  parts.push_back(sheet(9, 8, /*periodic=*/true));  // needs restarts, while the others stand still
  parts.push_back(cycle(101));
  const DisjointUnion batch = disjoint_union(parts);
  for (int k = 0; k <= batch.complex.order(); ++k) {
    const Incidence lower(batch.complex, k), upper(batch.complex, k + 1);
    const Tensor together = lambda_max(lower, upper, batch.offsets[k]);
    ASSERT_EQ(together.size(0), 26);
    for (int p = 0; p < 26; ++p) {
      const double found = together[p].item<double>(), truth = dense_lambda_max(dense_laplacian(parts[p], k));
      EXPECT_NEAR(found, truth, (p < 24 ? 1e-12 : 1e-5) * truth);
      EXPECT_LE(found, truth * (1 + 1e-13));
      EXPECT_NEAR(found, largest(parts[p], k, 1e-5), 1e-12 * truth);
    }
  }
}

TEST(Lambda, LargestEigenvaluesSayWhenTheyStop) {
  const std::vector<SimplicialComplex> parts{cycle(3), cycle(500)};
  const DisjointUnion batch = disjoint_union(parts);
  const LaplacianShift laplacian(ComplexOperators(batch), 0, Side::both);
  LanczosOptions options;
  options.max_products = 12;
  EXPECT_THROW(largest_eigenvalues(laplacian, {503, 1}, batch.offsets[0], torch::kFloat64, options), Error);
  EXPECT_THROW(largest_eigenvalues(laplacian, {503}, {}, torch::kFloat64), Error);
  EXPECT_THROW(largest_eigenvalues(laplacian, {503, 1}, std::vector<Index>{0, 500}, torch::kFloat64), Error);
}

TEST(Lambda, NothingStretchesNothing) {
  EXPECT_EQ(bound(SimplicialComplex(), 0), 0);
  EXPECT_EQ(largest(SimplicialComplex(), 0), 0);
  const SimplicialComplex points = ComplexBuilder().add_vertices(5).build();
  EXPECT_EQ(bound(points, 0), 0);
  EXPECT_EQ(largest(points, 0), 0);
  EXPECT_EQ(largest(points, 3), 0);
}

TEST(Lambda, RefusesOffsetsThatDoNotCoverTheRows) {
  const SimplicialComplex complex = cycle(5);
  const Incidence lower(complex, 0), upper(complex, 1);
  EXPECT_THROW(lambda_bound(lower, upper, std::vector<Index>{0, 4}), Error);
  EXPECT_THROW(lambda_bound(lower, upper, std::vector<Index>{1, 5}), Error);
  EXPECT_THROW(lambda_bound(lower, upper, std::vector<Index>{0, 3, 2, 5}), Error);
}

}  // namespace
}  // namespace gsan
