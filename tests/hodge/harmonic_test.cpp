#include "gsan/hodge/harmonic.h"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/hodge/spectral/lambda.h"
#include "gsan/topology/disjoint_union.h"

#include "hodge/dense_reference.h"
#include "hodge/sample_complexes.h"
#include "support/gradcheck.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

// The orthogonal projector on ker L.
Tensor dense_projector(const Tensor& L) {
  const auto [values, vectors] = at::linalg_eigh(L);
  const Tensor kernel = vectors.index_select(1, (values < 1e-9).nonzero().squeeze(-1));
  return kernel.mm(kernel.t());
}

TEST(Harmonic, IsThePowerOfOneStep) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const ComplexOperators operators(complex);
    const Cochains x = random_cochains(complex, 2);
    for (int k = 0; k <= complex.order(); ++k) {
      const Tensor L = dense_laplacian(complex, k);
      const double bound = (dense_lower_laplacian(complex, k).abs() + dense_upper_laplacian(complex, k).abs())
                               .sum(1)
                               .max()
                               .item<double>();
      const HarmonicProjector projector(operators, k, {5, {}});
      EXPECT_EQ(projector.epsilon().item<double>(), bound == 0 ? 1 : 1 / bound);
      const Tensor step = torch::eye(L.size(0), torch::kFloat64) - (bound == 0 ? 1 : 1 / bound) * L;
      EXPECT_LT(distance(projector.apply(x[k]), torch::linalg_matrix_power(step, 5).mm(x[k])), 1e-12);
    }
  }
}

TEST(Harmonic, TendsToTheProjectorAsStepsGrow) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const ComplexOperators operators(complex);
    const Cochains x = random_cochains(complex, 2);
    for (int k = 0; k <= complex.order(); ++k) {
      const Tensor L = dense_laplacian(complex, k);
      const Tensor limit = dense_projector(L).mm(x[k]);
      // The slowest mode decays by 1 − ε λ_min a step.
      const HarmonicProjector few(operators, k, {20, {}}), many(operators, k, {500, {}});
      const Tensor values = at::linalg_eigvalsh(L);
      const Tensor nonzero = values.masked_select(values > 1e-9);
      const double rate =
          nonzero.numel() == 0 ? 0 : 1 - few.epsilon().item<double>() * nonzero.min().item<double>();
      const double size = x[k].norm().item<double>();
      EXPECT_LE((few.apply(x[k]) - limit).norm().item<double>(), (std::pow(rate, 20) + 1e-12) * size);
      EXPECT_LE((many.apply(x[k]) - limit).norm().item<double>(), (std::pow(rate, 500) + 1e-10) * size);
    }
  }
}

TEST(Harmonic, NoStepsChangeNothing) {
  const SimplicialComplex complex = random_complex(7);
  const Tensor x = random_cochains(complex, 2)[1];
  EXPECT_EQ(distance(HarmonicProjector(ComplexOperators(complex), 1, {0, {}}).apply(x), x), 0);
}

TEST(Harmonic, BatchEqualsItsPartsBitForBit) {
  std::vector<SimplicialComplex> parts;
  std::vector<Cochains> x;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    parts.push_back(random_complex(seed));
    x.push_back(random_cochains(parts.back(), 3, "part" + std::to_string(seed)));
  }
  const DisjointUnion batch = disjoint_union(parts);
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    for (int k = 0; k <= batch.complex.order(); ++k) {
      std::vector<Tensor> inputs, outputs;
      for (std::size_t p = 0; p < parts.size(); ++p) {
        if (k > parts[p].order()) continue;
        inputs.push_back(x[p][k].to(type));
        outputs.push_back(HarmonicProjector(ComplexOperators(parts[p]), k, {7, {}}).apply(inputs.back()));
      }
      const HarmonicProjector projector(ComplexOperators(batch), k, {7, {}});
      EXPECT_EQ(distance(projector.apply(torch::cat(inputs)), torch::cat(outputs)), 0);
    }
  }
}

struct Weighted {
  Incidence lower, upper;
};

// diag(w_{k−1}) B_k diag(1/w_k) and the same of B_{k+1}, with positive weights [signals, N, heads].
Weighted weighted(const ComplexOperators& operators, int k, std::int64_t signals, std::int64_t heads) {
  const auto weight = [&](int order) {
    const std::int64_t rows = order < 0 ? 0 : operators.count(order);
    const Tensor w = random_signal(signals * rows, heads, "weight" + std::to_string(order), torch::kFloat64);
    return (w.view({signals, rows, heads}) / 2).exp();
  };
  return {operators.incidence(k).scaled(weight(k - 1), 1 / weight(k)),
          operators.incidence(k + 1).scaled(weight(k), 1 / weight(k + 1))};
}

// The operator of one signal and head, with the scaling [N].
Incidence one_of(const Incidence& plain, const Incidence& grouped, std::int64_t signal, std::int64_t head) {
  return plain.scaled(grouped.row_scale()[signal].select(-1, head),
                      grouped.column_scale()[signal].select(-1, head));
}

TEST(Harmonic, GroupedScalingIsALoopOverSignalsAndHeads) {
  const std::int64_t signals = 2, heads = 3, width = 2;
  std::vector<SimplicialComplex> parts;
  for (std::uint64_t seed = 0; seed < 16; ++seed) parts.push_back(random_complex(seed));
  for (const ComplexOperators& operators :
       {ComplexOperators(random_complex(7)), ComplexOperators(disjoint_union(parts))}) {
    for (int k = 0; k <= operators.order(); ++k) {
      const auto [lower, upper] = weighted(operators, k, signals, heads);
      const HarmonicProjector all(lower, upper, {4, {}}, operators.parts(k));
      ASSERT_EQ(all.epsilon().sizes(), at::IntArrayRef({signals, operators.part_count(), heads}));
      const Tensor largest = lambda_max(lower, upper, operators.parts(k));
      ASSERT_EQ(largest.sizes(), all.epsilon().sizes());
      const Tensor x = random_signal(signals * operators.count(k), heads * width, "x", torch::kFloat64)
                           .view({signals, operators.count(k), heads * width});
      const Tensor y = all.apply(x);
      for (std::int64_t b = 0; b < signals; ++b) {
        for (std::int64_t h = 0; h < heads; ++h) {
          const Incidence down = one_of(operators.incidence(k), lower, b, h),
                          up = one_of(operators.incidence(k + 1), upper, b, h);
          const HarmonicProjector alone(down, up, {4, {}}, operators.parts(k));
          EXPECT_EQ(distance(alone.epsilon(), all.epsilon()[b].select(-1, h)), 0);
          EXPECT_EQ(
              distance(alone.apply(x[b].narrow(-1, h * width, width)), y[b].narrow(-1, h * width, width)), 0);
          const Tensor eigenvalues = lambda_max(down, up, operators.parts(k));
          EXPECT_TRUE(torch::allclose(largest[b].select(-1, h), eigenvalues, 1e-12, 1e-300));
        }
      }
      const double most = largest.max().item<double>();
      if (most == 0) continue;
      EXPECT_THROW(HarmonicProjector(lower, upper, {4, 2.01 / most}, operators.parts(k)), Error);
      EXPECT_NO_THROW(HarmonicProjector(lower, upper, {4, 1.99 / most}, operators.parts(k)));
    }
  }
}

TEST(Harmonic, IsDifferentiableInGroupedScalings) {
  const ComplexOperators operators(complete_complex(4, 2));
  const auto [lower, upper] = weighted(operators, 1, 1, 2);
  // ε follows the scaling but is not differentiated: hold it fixed.
  const HarmonicOptions options{2, 0.5 / lambda_bound(lower, upper).max().item<double>()};
  const TensorFunction project = [&](const Tensors& in) {
    return HarmonicProjector(operators.incidence(1).scaled(in[0], in[1]),
                             operators.incidence(2).scaled(in[2], in[3]), options)
        .apply(in[4]);
  };
  const Tensor x = random_signal(operators.count(1), 4, "x", torch::kFloat64);
  expect_gradients(project,
                   {lower.row_scale(), lower.column_scale(), upper.row_scale(), upper.column_scale(), x});
}

TEST(Harmonic, EpsilonIsNotDifferentiated) {
  const SimplicialComplex complex = cycle(4);
  const Tensor scale = torch::ones({4}, torch::kFloat64).requires_grad_();
  const HarmonicProjector projector(Incidence(complex, 0), Incidence(complex, 1).scaled(scale, {}), {2, {}});
  EXPECT_FALSE(projector.epsilon().requires_grad());
}

TEST(Harmonic, GradientIsTheProjectorItself) {
  const SimplicialComplex complex = random_complex(7);
  const HarmonicProjector projector(ComplexOperators(complex), 1, {4, {}});
  const Tensor x = random_signal(complex.count(1), 2, "x", torch::kFloat64).requires_grad_();
  const Tensor g = random_signal(complex.count(1), 2, "g", torch::kFloat64);
  projector.apply(x).mul(g).sum().backward();
  EXPECT_LT(distance(x.grad(), projector.apply(g)), 1e-12);
}

TEST(Harmonic, EveryPartOfABatchHasItsOwnGradient) {
  const std::vector<SimplicialComplex> parts{complete_complex(4, 2), cycle(4), complete_complex(5, 1)};
  const DisjointUnion batch = disjoint_union(parts);
  const HarmonicProjector projector(ComplexOperators(batch), 1, {3, {}});
  ASSERT_EQ(projector.epsilon().size(0), 3);
  const TensorFunction project = [&](const Tensors& in) { return projector.apply(in[0].square()); };
  const Tensors x{random_signal(batch.complex.count(1), 2, "x", torch::kFloat64)};
  expect_gradients(project, x);
  expect_second_gradients(project, x, {.step = 1e-5, .tolerance = 1e-6});
}

TEST(Harmonic, AcceptsLeadingDimensions) {
  const SimplicialComplex complex = random_complex(7);
  const HarmonicProjector projector(ComplexOperators(complex), 0, {4, {}});
  const Tensor x =
      random_signal(3 * complex.count(0), 2, "x", torch::kFloat64).view({3, complex.count(0), 2});
  for (int b = 0; b < 3; ++b) EXPECT_LT(distance(projector.apply(x)[b], projector.apply(x[b])), 1e-14);
}

TEST(Harmonic, GivenEpsilonIsBoundedByTheLargestEigenvalue) {
  // L_0 of a path 0–1–2: λ_max = 3, λ̄ = 4.
  const ComplexOperators path(from_maximal_simplices(std::vector<std::vector<Vertex>>{{0, 1}, {1, 2}}));
  const auto with = [&](double epsilon) {
    return HarmonicProjector(path, 0, {3, epsilon}).epsilon().item<double>();
  };
  EXPECT_EQ(with(2.0 / 4), 2.0 / 4);
  EXPECT_EQ(with(0.66), 0.66);  // beyond 2/λ̄, below 2/λ_max
  for (const double bad : {2.0 / 3 + 1e-12, 0.7, 100.0}) {
    try {
      with(bad);
      FAIL() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::argument);
      EXPECT_NE(std::string(error.what()).find(concat(bad)), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("lambda_max = 3"), std::string::npos) << error.what();
    }
  }
  for (const double bad :
       {0.0, -0.1, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(with(bad), Error);
  EXPECT_THROW(HarmonicProjector(path, 0, {-1, {}}), Error);
}

TEST(Harmonic, GivenEpsilonMustSuitEveryPart) {
  const std::vector<SimplicialComplex> parts{cycle(4), complete_complex(10, 1)};  // λ_max = 4 and 10
  const DisjointUnion batch = disjoint_union(parts);
  const ComplexOperators operators(batch);
  EXPECT_THROW(HarmonicProjector(operators, 0, {3, 0.45}), Error);
  EXPECT_NO_THROW(HarmonicProjector(operators, 0, {3, 0.19}));
}

TEST(Harmonic, OrdersWithoutSimplices) {
  const SimplicialComplex complex = cycle(5);
  const HarmonicProjector projector(Incidence(complex, 2), Incidence(complex, 3), {3, {}});
  EXPECT_EQ(projector.apply(torch::zeros({0, 4})).sizes(), (std::vector<std::int64_t>{0, 4}));
  const SimplicialComplex points = ComplexBuilder().add_vertices(3).build();
  const HarmonicProjector identity(ComplexOperators(points), 0, {3, {}});
  EXPECT_EQ(identity.epsilon().item<double>(), 1);
  EXPECT_EQ(distance(identity.apply(torch::ones({3, 1})), torch::ones({3, 1})), 0);
  EXPECT_NO_THROW(HarmonicProjector(ComplexOperators(points), 0, {3, 50.0}));  // λ = 0 allows any ε
  const HarmonicProjector nothing(Incidence(SimplicialComplex(), 0), Incidence(SimplicialComplex(), 1),
                                  {3, {}}, std::vector<Index>{0, 0, 0});
  EXPECT_EQ(nothing.apply(torch::zeros({0, 2})).numel(), 0);
}

}  // namespace
}  // namespace gsan
