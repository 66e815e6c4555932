#include "gsan/hodge/side_operator.h"

#include <gtest/gtest.h>

#include "hodge/dense_reference.h"
#include "hodge/sample_complexes.h"
#include "support/expect_error.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

// Dense S and coupling of one order and side, from the definitions (side_operator.h).
struct Dense {
  Tensor shift;     // [N_k, N_k]
  Tensor coupling;  // [N_k, N_{k∓1}]
};

Tensor pseudo_inverse(const Tensor& d) { return torch::where(d > 0, 1 / d, torch::zeros_like(d)); }

// D2_k as a vector.
Tensor bunch_d2(const SimplicialComplex& complex, int k) {
  return dense_boundary(complex, k + 1).abs().sum(1).clamp_min(1);
}

Tensor bunch_d1_inverse(const SimplicialComplex& complex, int k) {  // D1_k⁺ as a matrix
  const Tensor d1 = (k + 1) * dense_boundary(complex, k).abs().mv(bunch_d2(complex, k));
  return torch::diag(pseudo_inverse(d1));
}

Dense bunch(const SimplicialComplex& complex, int k, Side side, int lowest, int highest) {
  const Tensor D2 = bunch_d2(complex, k);
  if (side == Side::lower) {
    const Tensor B = dense_boundary(complex, k);
    if (k == highest) {
      const Tensor D5 = torch::diag(pseudo_inverse(B.abs().sum(1)));
      return {B.t().mm(D5).mm(B), B.t().mm(D5)};
    }
    const Tensor D1 = bunch_d1_inverse(complex, k), root = torch::diag(D2.sqrt());
    return {root.mm(B.t()).mm(D1).mm(B).mm(root), torch::diag(D2).mm(B.t()).mm(D1)};
  }
  const Tensor B = dense_boundary(complex, k + 1), root = torch::diag(D2.rsqrt());
  const double D3 = 1.0 / (k + 2);
  return {root.mm(B).mm(B.t()).mm(root) * (k == 0 ? 1 : D3),
          k == lowest ? bunch_d1_inverse(complex, k + 1).mm(B) : B * D3};
}

Dense dense(const SimplicialComplex& complex, int k, Side side, Normalization kind, int lowest, int highest) {
  if (kind == Normalization::bunch) return bunch(complex, k, side, lowest, highest);
  const Tensor L =
      side == Side::lower ? dense_lower_laplacian(complex, k) : dense_upper_laplacian(complex, k);
  const Tensor coupling =
      side == Side::lower ? dense_boundary(complex, k).t() : dense_boundary(complex, k + 1);
  const Tensor I = torch::eye(L.size(0), torch::kFloat64);
  switch (kind) {
    case Normalization::lambda_max:
    case Normalization::centered: {
      const Tensor all = dense_laplacian(complex, k);
      const double largest = all.numel() == 0 ? 0 : at::linalg_eigvalsh(all).max().item<double>();
      const Tensor normalized = L / (largest > 1e-12 ? largest : 1);
      return {kind == Normalization::centered ? 2 * normalized - I : normalized, coupling};
    }
    case Normalization::signed_adjacency:
      return {L - torch::diag(L.diagonal()), coupling};
    case Normalization::renormalized: {
      const Tensor root = torch::diag((L.diagonal() + 1).rsqrt());
      return {I - root.mm(L).mm(root), coupling};
    }
    default:
      return {L, coupling};
  }
}

constexpr Normalization kinds[] = {
    Normalization::none,  Normalization::lambda_max,       Normalization::centered,
    Normalization::bunch, Normalization::signed_adjacency, Normalization::renormalized};

Tensor couple(const SideOperator& one, Side side, const Tensor& x) {
  return side == Side::lower ? one.coupling.coboundary(x) : one.coupling.boundary(x);
}

TEST(SideOperator, EveryKindEqualsItsMatrix) {
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const ComplexOperators operators(complex);
    for (const int highest : {2, 3}) {
      for (int lowest = 0; lowest <= 1; ++lowest) {
        for (int k = lowest; k <= highest; ++k) {
          const Tensor x = random_signal(complex.count(k), 2, "x", torch::kFloat64);
          for (const Normalization kind : kinds) {
            Tensor sum;
            for (const Side side : {Side::lower, Side::upper}) {
              const Dense expected = dense(complex, k, side, kind, lowest, highest);
              const auto one = side_operator(operators, k, side, kind, lowest, highest, torch::kFloat64);
              const auto S = side_shift(operators, k, side, kind, lowest, highest, torch::kFloat64);
              const Tensor y = expected.shift.mm(x);
              EXPECT_LT(distance(S.apply(x), y), 1e-12) << static_cast<int>(kind) << " k " << k;
              sum = sum.defined() ? sum + y : y;
              const Tensor other = random_signal(expected.coupling.size(1), 2, "other", torch::kFloat64);
              EXPECT_LT(distance(couple(one, side, other), expected.coupling.mm(other)), 1e-12);
            }
            if (kind == Normalization::centered) sum = sum + x;  // one −I for the whole of 2 L/λ_max − I
            const auto both = side_shift(operators, k, Side::both, kind, lowest, highest, torch::kFloat64);
            EXPECT_LT(distance(both.apply(x), sum), 1e-12);
          }
        }
      }
    }
  }
}

TEST(SideOperator, BatchEqualsItsParts) {
  std::vector<SimplicialComplex> parts;
  for (std::uint64_t seed = 0; seed < 24; ++seed) parts.push_back(random_complex(seed));
  const ComplexOperators batch(disjoint_union(parts));
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    for (const Normalization kind : kinds) {
      for (int k = 0; k <= 2; ++k) {
        for (const Side side : {Side::lower, Side::upper, Side::both}) {
          std::vector<Tensor> inputs, outputs;
          for (std::size_t p = 0; p < parts.size(); ++p) {
            inputs.push_back(random_signal(parts[p].count(k), 2, concat("x", p), type));
            const ComplexOperators alone(parts[p]);
            outputs.push_back(side_shift(alone, k, side, kind, 0, 2, type).apply(inputs.back()));
          }
          const Tensor together = side_shift(batch, k, side, kind, 0, 2, type).apply(torch::cat(inputs));
          EXPECT_EQ(together.scalar_type(), type);
          EXPECT_LT(distance(together, torch::cat(outputs)), type == torch::kFloat32 ? 2e-6 : 1e-13);
        }
      }
    }
  }
}

TEST(SideOperator, AZeroLaplacianIsDividedByOne) {
  const SimplicialComplex points = ComplexBuilder().add_vertices(3).build();
  const std::vector<SimplicialComplex> parts{points, cycle(4), SimplicialComplex()};
  for (const ComplexOperators& operators :
       {ComplexOperators(points), ComplexOperators(disjoint_union(parts))}) {
    const Tensor x = torch::ones({operators.count(0), 1}, torch::kFloat64);
    const auto one =
        side_operator(operators, 0, Side::upper, Normalization::lambda_max, 0, 1, torch::kFloat64);
    EXPECT_EQ(one.factor, 1);
    const auto S = side_shift(operators, 0, Side::both, Normalization::lambda_max, 0, 1, torch::kFloat64);
    EXPECT_EQ(distance(S.apply(x), torch::zeros_like(x)), 0);
  }
}

TEST(SideOperator, RenormalizedVerticesAreKipfsMatrix) {
  const SimplicialComplex complex = sheet(3, 2);
  const Tensor A = dense_boundary(complex, 1).abs();  // A + D = |B||B|ᵀ
  const Tensor degrees = A.sum(1);
  const Tensor with_loops = A.mm(A.t()) - torch::diag(degrees) + torch::eye(degrees.size(0), torch::kFloat64);
  const Tensor root = torch::diag((degrees + 1).rsqrt());
  const Tensor x = random_signal(complex.count(0), 3, "x", torch::kFloat64);
  const auto S = side_shift(ComplexOperators(complex), 0, Side::upper, Normalization::renormalized, 0, 0,
                            torch::kFloat64);
  EXPECT_LT(distance(S.apply(x), root.mm(with_loops).mm(root).mm(x)), 1e-13);
}

TEST(SideOperator, SignedAdjacencyIsTheSignPatternOfTheNeighbours) {
  const SimplicialComplex complex = sheet(3, 3);
  const ComplexOperators operators(complex);
  for (int k = 0; k <= 2; ++k) {
    for (const Side side : {Side::lower, Side::upper}) {
      const Tensor L =
          side == Side::lower ? dense_lower_laplacian(complex, k) : dense_upper_laplacian(complex, k);
      const Tensor pattern = L.sign() - torch::diag(L.sign().diagonal());
      const Tensor x = torch::eye(complex.count(k), torch::kFloat64);
      const auto S = side_shift(operators, k, side, Normalization::signed_adjacency, 0, 2, torch::kFloat64);
      EXPECT_EQ(distance(S.apply(x), pattern), 0);
    }
  }
}

TEST(SideOperator, SidesOfTheBunchShiftAnnihilateEachOther) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const ComplexOperators operators(complex);
    for (int k = 1; k <= 2; ++k) {
      const auto shift = [&](Side side) {
        return side_shift(operators, k, side, Normalization::bunch, 0, 3, torch::kFloat64);
      };
      const Tensor x = random_signal(complex.count(k), 2, "x", torch::kFloat64);
      const LaplacianShift lower = shift(Side::lower), upper = shift(Side::upper), both = shift(Side::both);
      EXPECT_LT(distance(lower.apply(upper.apply(x)), torch::zeros_like(x)), 1e-13);
      EXPECT_LT(distance(upper.apply(lower.apply(x)), torch::zeros_like(x)), 1e-13);
      EXPECT_LT(
          distance(both.apply(both.apply(x)), lower.apply(lower.apply(x)) + upper.apply(upper.apply(x))),
          1e-13);
    }
  }
}

TEST(SideOperator, IsMadeOnce) {
  const ComplexOperators operators(sheet(3, 3));
  const auto make = [&](torch::ScalarType type) {
    return side_operator(operators, 1, Side::lower, Normalization::bunch, 0, 2, type).shift.row_scale();
  };
  EXPECT_TRUE(make(torch::kFloat32).is_same(make(torch::kFloat32)));
  EXPECT_EQ(make(torch::kFloat32).scalar_type(), torch::kFloat32);
  EXPECT_EQ(make(torch::kFloat64).scalar_type(), torch::kFloat64);
}

TEST(SideOperator, RefusesWhatHasNoMeaning) {
  const ComplexOperators operators(cycle(4));
  const auto make = [&](int k, Side side, int lowest, int highest, torch::ScalarType type) {
    return [=] { side_operator(operators, k, side, Normalization::none, lowest, highest, type); };
  };
  expect_error(Fault::argument, {"lower or upper"}, make(0, Side::both, 0, 1, torch::kFloat32));
  expect_error(Fault::argument, {"lowest = 1", "k = 0"}, make(0, Side::upper, 1, 1, torch::kFloat32));
  expect_error(Fault::argument, {"k = 2", "highest = 1"}, make(2, Side::upper, 0, 1, torch::kFloat32));
  expect_error(Fault::argument, {"float32 or float64", "Int"}, make(1, Side::upper, 0, 1, torch::kInt32));
}

}  // namespace
}  // namespace gsan
