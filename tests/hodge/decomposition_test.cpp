#include "gsan/hodge/decomposition.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <ATen/Parallel.h>
#include <ATen/ops/linalg_pinv.h>

#include "gsan/core/check.h"
#include "gsan/hodge/dirac.h"

#include "hodge/dense_reference.h"
#include "hodge/mesh_samples.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

// The orthogonal projection onto the image of M.
Tensor dense_projection(const Tensor& M, const Tensor& x) {
  return M.size(1) == 0 ? torch::zeros_like(x) : M.mm(at::linalg_pinv(M, 1e-10)).mm(x);
}

double norm_of(const Tensor& x) { return x.norm().item<double>(); }
double inner_of(const Tensor& x, const Tensor& y) { return (x * y).sum().item<double>(); }

Tensor signal(const SimplicialComplex& complex, int k, std::int64_t features = 1) {
  return random_signal(complex.count(k), features, "signal " + std::to_string(k), torch::kFloat64);
}

// Everything that a decomposition promises, without a reference.
void expect_laws(const ComplexOperators& operators, int k, const Tensor& x, const HodgeDecomposition& parts,
                 double tolerance = 1e-8) {
  const double size = norm_of(x);
  EXPECT_LE(norm_of(parts.gradient + parts.curl + parts.harmonic - x), 1e-12 * size);
  EXPECT_LE(std::abs(inner_of(parts.gradient, parts.curl)), 1e-12 * size * size);
  EXPECT_LE(std::abs(inner_of(parts.gradient, parts.harmonic)), 10 * tolerance * size * size);
  EXPECT_LE(std::abs(inner_of(parts.curl, parts.harmonic)), 10 * tolerance * size * size);
  const Incidence &lower = operators.incidence(k), &upper = operators.incidence(k + 1);
  EXPECT_LE(norm_of(lower.coboundary(parts.gradient_potential) - parts.gradient), 1e-12 * size);
  EXPECT_LE(norm_of(upper.boundary(parts.curl_potential) - parts.curl), 1e-12 * size);
  EXPECT_LE(norm_of(lower.boundary(parts.harmonic)), 10 * tolerance * size);
  EXPECT_LE(norm_of(upper.coboundary(parts.harmonic)), 10 * tolerance * size);
  const Tensor energy = parts.gradient_energy + parts.curl_energy + parts.harmonic_energy;
  EXPECT_LE(distance(energy, x.square().sum(-2)), 100 * tolerance * size * size);
  for (const Convergence& reached : {parts.gradient_convergence, parts.curl_convergence}) {
    EXPECT_LE(reached.residual, tolerance);
    EXPECT_LE(reached.error, tolerance);
  }
}

TEST(HodgeDecomposition, EqualsDenseProjectionsOnEveryOrder) {
  for (std::uint64_t seed = 0; seed < 48; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const ComplexOperators operators(complex);
    const HodgeSolver solver(operators);
    for (int k = 0; k <= complex.order(); ++k) {
      const Tensor x = signal(complex, k, 3);
      const HodgeDecomposition parts = solver.hodge(k, x);
      const Tensor gradient = dense_projection(dense_boundary(complex, k).t(), x);
      const Tensor curl = dense_projection(dense_boundary(complex, k + 1), x);
      EXPECT_LE(distance(parts.gradient, gradient), 1e-7) << "seed " << seed << " k " << k;
      EXPECT_LE(distance(parts.curl, curl), 1e-7) << "seed " << seed << " k " << k;
      EXPECT_LE(distance(parts.harmonic, x - gradient - curl), 1e-7) << "seed " << seed << " k " << k;
      expect_laws(operators, k, x, parts);
    }
  }
}

TEST(HodgeDecomposition, HoldsItsLawsOnMeshesWithSeveralLevels) {
  const SimplicialComplex samples[] = {
      shuffled(sheet(36, 30, false, true)),  // an annulus
      shuffled(sheet(30, 24, true)),         // a torus: the triangles have a kernel
      shuffled(klein_bottle(24)),            // no global gauge
      copies(sheet(20, 20, true), 2),        // two kernel vectors
      shuffled(sheet_with_pages(24, 3)),     // a star that no gauge makes a graph
      shuffled(sheet_with_pages(24, 30)),    // … longer than the preconditioner stores
      shuffled(solid(5)),                    // B_2 has no graph: Jacobi
      shuffled(path(5000)),                  // condition number 10^7
      path(2),
      complete_complex(9, 3),
  };
  for (const SimplicialComplex& complex : samples) {
    const ComplexOperators operators(complex);
    const HodgeSolver solver(operators);
    for (int k = 0; k <= complex.order(); ++k) {
      SCOPED_TRACE(testing::Message()
                   << "order " << k << " of a complex with " << complex.count(0) << " vertices");
      const Tensor x = signal(complex, k, 2);
      expect_laws(operators, k, x, solver.hodge(k, x));
    }
  }
}

TEST(HodgeDecomposition, ErrorOfAPartIsWithinTheTolerance) {
  const SimplicialComplex complex = shuffled(sheet(40, 40, false, true));
  const ComplexOperators operators(complex);
  const Tensor x = signal(complex, 1);
  const HodgeDecomposition exact = hodge_decomposition(operators, 1, x, {.tolerance = 1e-12});
  for (const double tolerance : {1e-2, 1e-4, 1e-6}) {
    const HodgeDecomposition parts = hodge_decomposition(operators, 1, x, {.tolerance = tolerance});
    EXPECT_LE(norm_of(parts.gradient - exact.gradient), tolerance * norm_of(x));
    EXPECT_LE(norm_of(parts.curl - exact.curl), tolerance * norm_of(x));
  }
}

TEST(HodgeDecomposition, StepsDoNotGrowWithTheMesh) {
  for (const Index n : {20, 40, 80}) {
    const SimplicialComplex complex = shuffled(sheet(n, n));
    const HodgeDecomposition parts = hodge_decomposition(ComplexOperators(complex), 1, signal(complex, 1));
    EXPECT_LE(parts.gradient_convergence.iterations, 30) << n;
    EXPECT_LE(parts.curl_convergence.iterations, 30) << n;
  }
}

TEST(HodgeDecomposition, KeepsAPartAsItIs) {
  for (const SimplicialComplex& complex :
       {sheet(12, 9, false, true), sheet(9, 8, true), solid(3), random_complex(7)}) {
    const ComplexOperators operators(complex);
    const HodgeSolver solver(operators);
    for (int k = 0; k <= complex.order(); ++k) {
      const HodgeDecomposition parts = solver.hodge(k, signal(complex, k));
      const HodgeDecomposition gradient = solver.hodge(k, parts.gradient), curl = solver.hodge(k, parts.curl);
      const HodgeDecomposition harmonic = solver.hodge(k, parts.harmonic);
      EXPECT_LE(distance(gradient.gradient, parts.gradient), 1e-7);
      EXPECT_LE(distance(curl.curl, parts.curl), 1e-7);
      EXPECT_LE(distance(harmonic.harmonic, parts.harmonic), 1e-7);
      EXPECT_LE(norm_of(gradient.curl) + norm_of(curl.gradient), 1e-10);
    }
  }
}

TEST(HodgeDecomposition, IsLinear) {
  const SimplicialComplex complex = sheet(14, 11, false, true);
  const HodgeSolver solver{ComplexOperators(complex)};
  const Tensor x = signal(complex, 1, 2), u = x.narrow(1, 0, 1), v = x.narrow(1, 1, 1);
  const Tensor sum = solver.hodge(1, 2 * u - 3 * v).gradient;
  EXPECT_LE(norm_of(sum - (2 * solver.hodge(1, u).gradient - 3 * solver.hodge(1, v).gradient)),
            1e-7 * norm_of(x));
}

TEST(HodgeDecomposition, AColumnDoesNotSeeTheOthers) {
  const SimplicialComplex complex = shuffled(sheet(50, 50));
  const HodgeSolver solver{ComplexOperators(complex)};
  const Tensor x = signal(complex, 1, 11);  // blocks of 8 and 3
  const HodgeDecomposition together = solver.hodge(1, x);
  for (const std::int64_t c : {0, 7, 10}) {
    const HodgeDecomposition alone = solver.hodge(1, x.narrow(1, c, 1));
    EXPECT_TRUE(torch::equal(together.gradient.narrow(1, c, 1), alone.gradient));
    EXPECT_TRUE(torch::equal(together.curl.narrow(1, c, 1), alone.curl));
  }
}

TEST(HodgeDecomposition, IsTheSameForEveryNumberOfThreads) {
  const SimplicialComplex complex = shuffled(sheet(95, 95));  // several blocks and chunks
  const Tensor x = signal(complex, 1);
  const int threads = at::get_num_threads();
  const HodgeDecomposition usual = hodge_decomposition(ComplexOperators(complex), 1, x);
  at::set_num_threads(1);
  const HodgeDecomposition single = hodge_decomposition(ComplexOperators(complex), 1, x);
  at::set_num_threads(threads);
  EXPECT_TRUE(torch::equal(usual.gradient, single.gradient));
  EXPECT_TRUE(torch::equal(usual.curl, single.curl));
}

TEST(HodgeDecomposition, FollowsNewVertexNamesAndOrientations) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const MappedComplex renamed = relabel(complex, random_permutation(complex.count(0), seed));
    const HodgeSolver solver{ComplexOperators(complex)}, renamed_solver{ComplexOperators(renamed.complex)};
    for (int k = 0; k <= complex.order(); ++k) {
      const auto move = [&](const Tensor& x) {
        Tensor y = torch::empty_like(x);
        for (Index i = 0; i < complex.count(k); ++i)
          y[i] = x[renamed.source[k][i]] * double(renamed.sign[k][i]);
        return y;
      };
      const Tensor x = signal(complex, k);
      const HodgeDecomposition parts = solver.hodge(k, x), moved = renamed_solver.hodge(k, move(x));
      EXPECT_LE(distance(moved.gradient, move(parts.gradient)), 1e-7);
      EXPECT_LE(distance(moved.curl, move(parts.curl)), 1e-7);
    }
  }
}

TEST(HodgeDecomposition, TakesLeadingDimensions) {
  const SimplicialComplex complex = sheet(5, 4, false, true);
  const HodgeSolver solver{ComplexOperators(complex)};
  const Tensor flat = signal(complex, 1, 12);
  const Tensor x = flat.reshape({complex.count(1), 2, 3, 2}).permute({1, 2, 0, 3});  // [2, 3, N_1, 2]
  const HodgeDecomposition parts = solver.hodge(1, x), expected = solver.hodge(1, flat);
  ASSERT_EQ(parts.gradient.sizes(), x.sizes());
  ASSERT_EQ(parts.gradient_potential.sizes(), torch::IntArrayRef({2, 3, complex.count(0), 2}));
  ASSERT_EQ(parts.curl_energy.sizes(), torch::IntArrayRef({2, 3, 2}));
  const auto fold = [&](const Tensor& y) {
    return y.reshape({complex.count(1), 2, 3, 2}).permute({1, 2, 0, 3});
  };
  EXPECT_TRUE(torch::equal(parts.gradient, fold(expected.gradient)));
  EXPECT_TRUE(torch::equal(parts.harmonic, fold(expected.harmonic)));
  EXPECT_TRUE(torch::equal(parts.curl_energy, expected.curl_energy.reshape({2, 3, 2})));
}

TEST(HodgeDecomposition, Float32GivesFloat32) {
  const SimplicialComplex complex = sheet(8, 8, false, true);
  const HodgeSolver solver{ComplexOperators(complex)};
  const Tensor x = signal(complex, 1).to(torch::kFloat32);
  const HodgeDecomposition parts = solver.hodge(1, x), exact = solver.hodge(1, x.to(torch::kFloat64));
  EXPECT_EQ(parts.curl.scalar_type(), torch::kFloat32);
  EXPECT_EQ(parts.curl_potential.scalar_type(), torch::kFloat32);
  EXPECT_EQ(parts.curl_energy.scalar_type(), torch::kFloat64);
  EXPECT_TRUE(torch::equal(parts.curl, exact.curl.to(torch::kFloat32)));
}

TEST(HodgeDecomposition, VeryLargeAndVerySmallSignalsScale) {
  const SimplicialComplex complex = sheet(6, 6, false, true);
  const HodgeSolver solver{ComplexOperators(complex)};
  const Tensor x = signal(complex, 1), gradient = solver.hodge(1, x).gradient;
  for (const double scale : {0x1p900, 0x1p-900}) {
    EXPECT_TRUE(torch::equal(solver.hodge(1, x * scale).gradient, gradient * scale)) << scale;
  }
}

TEST(HodgeDecomposition, PartsThatCannotExistAreZero) {
  const SimplicialComplex points = copies(path(1), 3);  // three vertices, nothing else
  ASSERT_EQ(points.count(0), 3);
  const HodgeDecomposition on_points = hodge_decomposition(ComplexOperators(points), 0, signal(points, 0));
  EXPECT_EQ(norm_of(on_points.gradient) + norm_of(on_points.curl), 0);
  EXPECT_EQ(on_points.gradient_potential.size(0), 0);
  EXPECT_EQ(on_points.curl_potential.size(0), 0);

  const ComplexOperators nothing{SimplicialComplex()};
  EXPECT_EQ(hodge_decomposition(nothing, 0, torch::zeros({0, 4})).harmonic.sizes(),
            torch::IntArrayRef({0, 4}));
  EXPECT_TRUE(dirac_decomposition(nothing, {}).orders.empty());

  const SimplicialComplex complex = sheet(3, 3);
  const ComplexOperators operators(complex);
  EXPECT_EQ(hodge_decomposition(operators, 1, torch::zeros({complex.count(1), 0})).curl.numel(), 0);
  const HodgeDecomposition zero = hodge_decomposition(operators, 1, torch::zeros({complex.count(1), 2}));
  EXPECT_EQ(norm_of(zero.gradient) + norm_of(zero.curl) + norm_of(zero.harmonic), 0);
  EXPECT_EQ(zero.gradient_convergence.iterations, 0);
}

TEST(DiracDecomposition, PairsThePartsThatOneBoundaryOperatorCarries) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const ComplexOperators operators(complex);
    const Cochains x = random_cochains(complex, 2);
    const DiracDecomposition parts = dirac_decomposition(operators, x);
    Cochains sum = parts.harmonic();
    for (int j = 1; j <= complex.order(); ++j) {
      const Cochains component = parts.component(j),
                     image = dirac_component(operators, j, parts.potential(j));
      for (int k = 0; k <= complex.order(); ++k) {
        ASSERT_EQ(component[k].defined(), k == j - 1 || k == j);
        if (!component[k].defined()) continue;
        EXPECT_LE(distance(component[k], image[k]), 1e-9);
        sum[k] = sum[k] + component[k];
      }
    }
    const Cochains kernel = dirac(operators, parts.harmonic());
    for (int k = 0; k <= complex.order(); ++k) {
      EXPECT_LE(distance(sum[k], x[k]), 1e-12);
      if (kernel[k].defined()) {
        EXPECT_LE(norm_of(kernel[k]), 1e-6);
      }
    }
  }
}

TEST(DiracDecomposition, AnOrderWithoutSignalStaysWithout) {
  const SimplicialComplex complex = sheet(3, 3);
  Cochains x = random_cochains(complex, 1);
  x[1] = Tensor();
  const DiracDecomposition parts = dirac_decomposition(ComplexOperators(complex), x);
  EXPECT_TRUE(parts.component(1)[0].defined());
  EXPECT_FALSE(parts.component(1)[1].defined());
  EXPECT_FALSE(parts.harmonic()[1].defined());
  EXPECT_THROW(parts.component(0), Error);
  EXPECT_THROW(parts.potential(3), Error);
}

template <class F>
void expect_error(Fault fault, const std::vector<std::string>& words, const F& f) {
  try {
    f();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), fault);
    for (const std::string& word : words) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " in: " << error.what();
    }
  }
}

TEST(HodgeDecomposition, SaysWhatIsWrongWithItsInput) {
  const SimplicialComplex complex = sheet(3, 3);
  const ComplexOperators operators(complex);
  Tensor x = torch::zeros({complex.count(1), 3});
  x[5][2] = std::numeric_limits<float>::quiet_NaN();
  expect_error(Fault::argument, {"row 5", "column 2", "nan"}, [&] { hodge_decomposition(operators, 1, x); });
  expect_error(Fault::argument, {"[..., 33, F]", "[32, 1]"}, [&] {
    hodge_decomposition(operators, 1, torch::zeros({32, 1}));
  });
  expect_error(Fault::argument, {"order 2", "order 3"}, [&] {
    hodge_decomposition(operators, 3, torch::zeros({0, 1}));
  });
  expect_error(Fault::argument, {"Int"}, [&] {
    hodge_decomposition(operators, 0, torch::zeros({16, 1}, torch::kInt32));
  });
  expect_error(Fault::argument, {"3 orders", "got 1"}, [&] { dirac_decomposition(operators, Cochains(1)); });
  expect_error(Fault::argument, {"tolerance", "max_iterations"},
               [&] { HodgeSolver(operators, {.tolerance = 0, .max_iterations = 0}); });
}

TEST(HodgeDecomposition, SaysHowFarItCame) {
  const SimplicialComplex complex = sheet(30, 30);
  const Tensor x = signal(complex, 1);
  expect_error(Fault::numeric, {"2 iterations", "residual", "tolerance 1e-08"},
               [&] { hodge_decomposition(ComplexOperators(complex), 1, x, {.max_iterations = 2}); });
}

}  // namespace
}  // namespace gsan
