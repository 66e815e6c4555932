#include "gsan/hodge/dirac.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gsan/core/check.h"

#include "hodge/dense_reference.h"
#include "support/random_complex.h"

#ifdef GSAN_HAVE_RAPIDCHECK
#include <rapidcheck/gtest.h>
#endif

namespace gsan {
namespace {

double inner(const Cochains& x, const Cochains& y) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (x[k].defined() && y[k].defined()) sum += (x[k] * y[k]).sum().item<double>();
  }
  return sum;
}

Tensor or_zero(const Tensor& y, const Tensor& like) { return y.defined() ? y : torch::zeros_like(like); }

#ifdef GSAN_HAVE_RAPIDCHECK
RC_GTEST_PROP(DiracLaw, SquareIsTheHodgeLaplacian, (const SimplicialComplex& complex)) {
  const ComplexOperators operators(complex);
  const Cochains x = random_cochains(complex, 2);
  const Cochains y = dirac(operators, dirac(operators, x));
  for (int k = 0; k <= complex.order(); ++k) {
    RC_ASSERT(distance(or_zero(y[k], x[k]), operators.laplacian(k, x[k])) < 1e-11);
  }
}

RC_GTEST_PROP(DiracLaw, IsSelfAdjoint, (const SimplicialComplex& complex)) {
  const ComplexOperators operators(complex);
  const Cochains x = random_cochains(complex, 2, "x"), y = random_cochains(complex, 2, "y");
  RC_ASSERT(std::abs(inner(dirac(operators, x), y) - inner(x, dirac(operators, y))) < 1e-10);
}

RC_GTEST_PROP(DiracLaw, IsTheSumOfItsComponents, (const SimplicialComplex& complex)) {
  const ComplexOperators operators(complex);
  const Cochains x = random_cochains(complex, 2);
  Cochains sum;
  for (const Tensor& signal : x) sum.push_back(torch::zeros_like(signal));
  for (int j = 1; j <= complex.order(); ++j) {
    const Cochains part = dirac_component(operators, j, x);
    for (int k = 0; k <= complex.order(); ++k) {
      RC_ASSERT(part[k].defined() == (k == j || k == j - 1));
      if (part[k].defined()) sum[k] += part[k];
    }
    for (int i = 1; i <= complex.order(); ++i) {
      if (i == j) continue;
      for (const Tensor& zero : dirac_component(operators, i, part)) {
        if (zero.defined()) RC_ASSERT(distance(zero, torch::zeros_like(zero)) < 1e-12);
      }
    }
  }
  const Cochains whole = dirac(operators, x);
  for (int k = 0; k <= complex.order(); ++k) RC_ASSERT(distance(or_zero(whole[k], x[k]), sum[k]) < 1e-12);
}
#endif

TEST(Dirac, EqualsTheDenseMatrix) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    if (complex.order() < 1) continue;
    const Cochains x = random_cochains(complex, 3);
    EXPECT_LT(
        distance(torch::cat(dirac(ComplexOperators(complex), x)), dense_dirac(complex).mm(torch::cat(x))),
        1e-12);
  }
}

TEST(Dirac, AnUndefinedSignalIsZero) {
  const SimplicialComplex complex =
      from_maximal_simplices(std::vector<std::vector<Vertex>>{{0, 1, 2}, {2, 3}});
  const ComplexOperators operators(complex);
  const Cochains x = random_cochains(complex, 2);
  const Cochains y = dirac(operators, {Tensor(), x[1], Tensor()});
  EXPECT_LT(distance(y[0], operators.incidence(1).boundary(x[1])), 1e-14);
  EXPECT_FALSE(y[1].defined());
  EXPECT_LT(distance(y[2], operators.incidence(2).coboundary(x[1])), 1e-14);
}

TEST(Dirac, TinyComplexes) {
  EXPECT_TRUE(dirac(ComplexOperators(SimplicialComplex()), {}).empty());
  const ComplexOperators point(ComplexBuilder().add_vertices(1).build());
  EXPECT_FALSE(dirac(point, {torch::ones({1, 2}, torch::kFloat64)})[0].defined());
  EXPECT_THROW(dirac_component(point, 1, {torch::ones({1, 2}, torch::kFloat64)}), Error);
}

TEST(Dirac, RefusesSignalsThatDoNotFit) {
  const SimplicialComplex complex = from_maximal_simplices(std::vector<std::vector<Vertex>>{{0, 1, 2}});
  const ComplexOperators operators(complex);
  const auto ones = [](std::int64_t rows, std::int64_t features) {
    return torch::ones({rows, features}, torch::kFloat64);
  };
  EXPECT_THROW(dirac(operators, {ones(3, 1), ones(3, 1)}), Error);
  EXPECT_THROW(dirac(operators, {ones(3, 1), ones(2, 1), ones(1, 1)}), Error);
  EXPECT_THROW(dirac(operators, {ones(3, 1), ones(3, 1), ones(1, 2)}), Error);  // B_1ᵀx_0 meets B_2 x_2
  EXPECT_THROW(dirac_component(operators, 0, {ones(3, 1), ones(3, 1), ones(1, 1)}), Error);
  EXPECT_THROW(dirac_component(operators, 3, {ones(3, 1), ones(3, 1), ones(1, 1)}), Error);
}

}  // namespace
}  // namespace gsan
