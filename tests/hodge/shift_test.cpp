#include <limits>

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/core/random.h"
#include "gsan/hodge/polynomial.h"
#include "gsan/topology/orientation.h"
#include "gsan/topology/relabel.h"

#include "hodge/dense_reference.h"
#include "hodge/sample_complexes.h"
#include "support/gradcheck.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

torch::Tensor signs_of(std::span<const std::int8_t> signs) {
  torch::Tensor o = torch::empty({static_cast<std::int64_t>(signs.size()), 1}, torch::kFloat64);
  for (std::size_t i = 0; i < signs.size(); ++i) o.data_ptr<double>()[i] = signs[i];
  return o;
}

// 3 L x + 2 L² x + L³ x on one side, by the library.
Tensor cubic(const Shift& shift, const Tensor& x) {
  const std::vector<Tensor> taps{3 * x, 2 * x, x};
  return polynomial(shift, taps, 1);
}

TEST(Shift, IsTheLaplacianOfItsSide) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const ComplexOperators operators(complex);
    const Cochains x = random_cochains(complex, 3);
    for (int k = 0; k <= complex.order(); ++k) {
      const Tensor down = dense_lower_laplacian(complex, k), up = dense_upper_laplacian(complex, k);
      EXPECT_LT(distance(LaplacianShift(operators, k, Side::lower).apply(x[k]), down.mm(x[k])), 1e-12);
      EXPECT_LT(distance(LaplacianShift(operators, k, Side::upper).apply(x[k]), up.mm(x[k])), 1e-12);
      EXPECT_LT(distance(LaplacianShift(operators, k, Side::both, 0.5).apply(x[k]), (down + up).mm(x[k]) / 2),
                1e-12);
    }
  }
}

TEST(Shift, TakesScaledOperators) {
  const SimplicialComplex complex = random_complex(7);
  const int k = 1;
  ASSERT_GE(complex.order(), 2);
  const auto scale = [&](int order) {
    return random_signal(complex.count(order), 1, "scale", torch::kFloat64).squeeze(-1);
  };
  const Incidence lower = Incidence(complex, k).scaled(scale(0), scale(1));
  const Incidence upper = Incidence(complex, k + 1).scaled(scale(1), scale(2));
  const Tensor B = dense_boundary(complex, k) * scale(0).unsqueeze(-1) * scale(1);
  const Tensor C = dense_boundary(complex, k + 1) * scale(1).unsqueeze(-1) * scale(2);
  const Tensor x = random_cochains(complex, 2)[k];
  const Tensor expected = (B.t().mm(B) + C.mm(C.t())).mm(x);
  EXPECT_LT(distance(LaplacianShift(lower, upper, Side::both).apply(x), expected), 1e-11);
}

TEST(Shift, AddsItsDiagonal) {
  const SimplicialComplex complex = random_complex(7);
  const ComplexOperators operators(complex);
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    for (int k = 0; k <= complex.order(); ++k) {
      const Tensor d = random_signal(complex.count(k), 1, "diagonal", torch::kFloat64);
      const Tensor x = random_cochains(complex, 2)[k].to(type);
      const Tensor y = LaplacianShift(operators, k, Side::lower, -0.5, d).apply(x);
      ASSERT_EQ(y.scalar_type(), type);
      const Tensor expected = -0.5 * operators.lower_laplacian(k, x) + d.to(type) * x;
      EXPECT_LT(distance(y, expected), type == torch::kFloat32 ? 1e-5 : 1e-13);
    }
  }
  const Tensor d = random_signal(complex.count(1), 1, "diagonal", torch::kFloat64);
  const TensorFunction apply = [&](const Tensors& in) {
    return LaplacianShift(operators, 1, Side::both, 2, in[0]).apply(in[1]);
  };
  expect_gradients(apply, {d, random_signal(complex.count(1), 2, "x", torch::kFloat64)});
  EXPECT_THROW(LaplacianShift(operators, 1, Side::both, 1, d.squeeze(-1)), Error);
  EXPECT_THROW(LaplacianShift(operators, 0, Side::both, 1, d), Error);
  EXPECT_THROW(LaplacianShift(operators, 1, Side::both, 1, d.to(torch::kInt32)), Error);
}

// Ones as scalings: the same operator, whose products are ops of their own.
LaplacianShift composed(const SimplicialComplex& complex, int k, Side side, double factor, const Tensor& d) {
  const auto one = [&](int order) { return torch::ones({complex.count(order)}, torch::kFloat64); };
  return {Incidence(complex, k).scaled(one(k - 1), {}), Incidence(complex, k + 1).scaled(one(k), {}), side,
          factor, d};
}

TEST(Shift, OneOpComputesWhatItsPartsDo) {
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    for (int k = 0; k <= complex.order(); ++k) {
      for (const Side side : {Side::lower, Side::upper, Side::both}) {
        const Tensor d = random_signal(complex.count(k), 1, "diagonal", torch::kFloat64);
        for (const Tensor& diagonal : {Tensor(), d}) {
          const LaplacianShift fused(ComplexOperators(complex), k, side, -0.3, diagonal),
              parts = composed(complex, k, side, -0.3, diagonal);
          // Taps of stacked products: rows apart from each other.
          const Tensor taps =
              random_signal(complex.count(k), 24, "taps", torch::kFloat64).unflatten(-1, {3, 8});
          const Tensor x = taps.select(1, 0), base = taps.select(1, 2);
          ASSERT_TRUE(fused.step(x).has_value());
          ASSERT_FALSE(parts.step(x).has_value());
          EXPECT_LT(distance(fused.apply(x), parts.apply(x)), 1e-12);
          EXPECT_LT(distance(fused.apply_onto(base, x, 2), parts.apply_onto(base, x, 2)), 1e-12);
        }
      }
    }
  }
}

TEST(Shift, OneOpDifferentiatesAsItsPartsDo) {
  const SimplicialComplex complex = complete_complex(4, 2);
  const Tensor d = random_signal(complex.count(1), 1, "diagonal", torch::kFloat64);
  const LaplacianShift fused(ComplexOperators(complex), 1, Side::both, 0.5, d);
  const TensorFunction filter = [&](const Tensors& in) {
    const std::vector<Tensor> taps{in[0], in[1].square(), in[0] * in[1]};
    return polynomial(fused, taps, 1);
  };
  const Tensors inputs{random_signal(complex.count(1), 2, "a", torch::kFloat64),
                       random_signal(complex.count(1), 2, "b", torch::kFloat64)};
  expect_gradients(filter, inputs, {.step = 1e-6, .tolerance = 1e-6});
  expect_second_gradients(filter, inputs, {.step = 1e-5, .tolerance = 1e-5});
  // A diagonal that is learned is not for the one op.
  EXPECT_FALSE(LaplacianShift(ComplexOperators(complex), 1, Side::both, 1, d.clone().requires_grad_())
                   .step(inputs[0])
                   .has_value());
}

TEST(Shift, ReorientedOperatorsKeepTheirSigns) {
  const SimplicialComplex complex = random_complex(7);
  const Orientation orientation = Orientation::random(complex, RandomStream(3, "orientation"));
  const ComplexOperators plain(complex), turned = plain.oriented(orientation);
  const Cochains x = random_cochains(complex, 4);
  for (int k = 0; k <= complex.order(); ++k) {
    const Tensor o = signs_of(orientation.signs(k));
    const Tensor expected = o * LaplacianShift(plain, k, Side::both).apply(o * x[k]);
    EXPECT_LT(distance(LaplacianShift(turned, k, Side::both).apply(x[k]), expected), 1e-12);
  }
}

TEST(Shift, RefusesOperatorsThatDoNotMeet) {
  const SimplicialComplex complex = random_complex(7);
  EXPECT_THROW(LaplacianShift(Incidence(complex, 1), Incidence(complex, 1), Side::both), Error);
  EXPECT_THROW(LaplacianShift(Incidence(complex, 1), Incidence(complex, 3), Side::both), Error);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THROW(LaplacianShift(ComplexOperators(complex), 1, Side::both, infinity), Error);
}

TEST(Polynomial, IsTheSumOfPowers) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const ComplexOperators operators(complex);
    for (int k = 0; k <= complex.order(); ++k) {
      const LaplacianShift shift(operators, k, Side::both, 0.1);
      const Tensor S = 0.1 * dense_laplacian(complex, k);
      std::vector<Tensor> taps;
      for (int p = 0; p < 4; ++p) taps.push_back(random_cochains(complex, 2, "tap" + std::to_string(p))[k]);
      for (int first_power = 0; first_power <= 2; ++first_power) {
        Tensor expected = torch::zeros_like(taps[0]);
        for (int p = 0; p < 4; ++p) expected += torch::linalg_matrix_power(S, first_power + p).mm(taps[p]);
        EXPECT_LT(distance(polynomial(shift, taps, first_power), expected), 1e-9);
      }
    }
  }
}

// Counts its products.
class Counting final : public Shift {
 public:
  explicit Counting(const Shift& shift) : shift_(shift) {}
  Tensor apply(const Tensor& x) const override {
    ++products;
    return shift_.apply(x);
  }
  mutable int products = 0;

 private:
  const Shift& shift_;
};

TEST(Polynomial, ChebyshevIsItsRecurrence) {
  const SimplicialComplex complex = random_complex(7);
  const LaplacianShift laplacian(ComplexOperators(complex), 1, Side::both, 0.1);
  const Tensor S = 0.1 * dense_laplacian(complex, 1), I = torch::eye(S.size(0), torch::kFloat64);
  for (int degree = 0; degree <= 6; ++degree) {
    std::vector<Tensor> taps, T{I, S};
    Tensor expected = torch::zeros({S.size(0), 2}, torch::kFloat64);
    for (int p = 0; p <= degree; ++p) {
      if (p >= 2) T.push_back(2 * S.mm(T[p - 1]) - T[p - 2]);
      taps.push_back(random_cochains(complex, 2, "tap" + std::to_string(p))[1]);
      expected += T[p].mm(taps[p]);
    }
    const Counting shift(laplacian);
    const double size = 1 + expected.abs().max().item<double>();
    EXPECT_LT(distance(chebyshev_polynomial(shift, taps), expected), 1e-12 * size);
    EXPECT_EQ(shift.products, degree);
  }
  EXPECT_THROW(chebyshev_polynomial(laplacian, {}), Error);
  EXPECT_THROW(chebyshev_polynomial(laplacian, std::vector<Tensor>{S, I.narrow(1, 0, 1)}), Error);
}

TEST(Polynomial, ChebyshevIsDifferentiable) {
  const SimplicialComplex complex = complete_complex(4, 2);
  const LaplacianShift shift(ComplexOperators(complex), 1, Side::both, 0.1);
  Tensors taps;
  for (int p = 0; p < 4; ++p) taps.push_back(random_cochains(complex, 2, "tap" + std::to_string(p))[1]);
  expect_gradients([&](const Tensors& in) { return chebyshev_polynomial(shift, in); }, taps);
}

TEST(Polynomial, KeepsLeadingDimensionsAndFloat32) {
  const SimplicialComplex complex = random_complex(6);
  const LaplacianShift shift(ComplexOperators(complex), 0, Side::upper, 0.1);
  const Tensor x =
      random_signal(5 * complex.count(0), 2, "many", torch::kFloat32).view({5, complex.count(0), 2});
  const Tensor y = cubic(shift, x);
  ASSERT_EQ(y.scalar_type(), torch::kFloat32);
  for (int b = 0; b < 5; ++b) EXPECT_LT(distance(y[b], cubic(shift, x[b])), 1e-6);
}

TEST(Polynomial, GradientIsTheTransposedFilter) {
  const SimplicialComplex complex = random_complex(7);
  const LaplacianShift shift(ComplexOperators(complex), 1, Side::lower);
  const Tensor x = random_signal(complex.count(1), 2, "x", torch::kFloat64).requires_grad_();
  const Tensor g = random_signal(complex.count(1), 2, "g", torch::kFloat64);
  cubic(shift, x).mul(g).sum().backward();
  EXPECT_LT(distance(x.grad(), cubic(shift, g)),
            1e-9 * x.grad().abs().max().item<double>());  // S is symmetric
}

TEST(Polynomial, RefusesWhatHasNoMeaning) {
  const SimplicialComplex complex = random_complex(7);
  const LaplacianShift shift(ComplexOperators(complex), 1, Side::lower);
  const Tensor x = random_cochains(complex, 2)[1];
  EXPECT_THROW(polynomial(shift, {}, 0), Error);
  EXPECT_THROW(polynomial(shift, std::vector<Tensor>{x}, -1), Error);
  EXPECT_THROW(polynomial(shift, std::vector<Tensor>{x, x.narrow(1, 0, 1)}, 0), Error);
  EXPECT_THROW(polynomial(shift, std::vector<Tensor>{Tensor(), x}, 0), Error);
  EXPECT_THROW(polynomial(shift, std::vector<Tensor>{x, Tensor()}, 0), Error);
}

// Theorem 1, for filters: naming the vertices otherwise moves the result along.
TEST(Polynomial, IsPermutationEquivariant) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const MappedComplex moved = relabel(complex, random_permutation(complex.count(0), seed));
    const ComplexOperators before(complex), after(moved.complex);
    const Cochains x = random_cochains(complex, 2);
    for (int k = 0; k <= complex.order(); ++k) {
      const Tensor source = torch::tensor(at::ArrayRef<Index>(moved.source[k]), torch::kInt64);
      const auto move = [&](const Tensor& y) { return signs_of(moved.sign[k]) * y.index_select(0, source); };
      for (const Side side : {Side::lower, Side::upper, Side::both}) {
        const Tensor expected = move(cubic(LaplacianShift(before, k, side), x[k]));
        EXPECT_LT(distance(cubic(LaplacianShift(after, k, side), move(x[k])), expected), 1e-8);
      }
    }
  }
}

TEST(Polynomial, IsOrientationEquivariant) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const Orientation orientation = Orientation::random(complex, RandomStream(seed, "orientation"));
    const Cochains x = random_cochains(complex, 2);
    const auto o = [&](int k) { return signs_of(orientation.signs(k)); };
    for (int k = 0; k <= complex.order(); ++k) {
      const Incidence lower(complex, k), upper(complex, k + 1);
      const Incidence new_lower = lower.scaled(o(k - 1).squeeze(-1), o(k).squeeze(-1));
      const Incidence new_upper = upper.scaled(o(k).squeeze(-1), o(k + 1).squeeze(-1));
      for (const Side side : {Side::lower, Side::upper, Side::both}) {
        const Tensor expected = o(k) * cubic(LaplacianShift(lower, upper, side), x[k]);
        EXPECT_LT(distance(cubic(LaplacianShift(new_lower, new_upper, side), o(k) * x[k]), expected), 1e-8);
      }
    }
  }
}

}  // namespace
}  // namespace gsan
