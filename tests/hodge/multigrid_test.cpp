#include <cmath>

#include <gtest/gtest.h>

#include "gsan/hodge/solve/gram_system.h"

#include "hodge/dense_reference.h"
#include "hodge/mesh_samples.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

using Vector = std::vector<double>;

// T = B_k or B_kᵀ, with its transpose.
struct Operator {
  SignedLists T, transposed;
  Tensor dense;
};
Operator boundary_of(const SimplicialComplex& complex, int k) {
  return {boundary_lists(complex, k), coboundary_lists(complex, k), dense_boundary(complex, k)};
}
Operator coboundary_of(const SimplicialComplex& complex, int k) {
  return {coboundary_lists(complex, k), boundary_lists(complex, k), dense_boundary(complex, k).t()};
}

Tensor dense(const PairMatrix& A) {
  Tensor D = torch::zeros({A.size(), A.size()}, torch::kFloat64);
  for (Index i = 0; i < A.size(); ++i) {
    D[i][i] = A.diagonal[i];
    for (Offset e = A.start[i]; e < A.start[i + 1]; ++e) D[i][A.column[e]] += A.value[e];
  }
  return D;
}

Tensor dense(const Aggregation& P) {
  Tensor D = torch::zeros({static_cast<std::int64_t>(P.group.size()), P.groups()}, torch::kFloat64);
  for (std::size_t i = 0; i < P.group.size(); ++i) {
    if (P.group[i] != Aggregation::none) D[i][P.group[i]] = double(P.sign[i]);
  }
  return D;
}

Vector random_vector(std::int64_t rows, int width, const char* purpose) {
  const Tensor x = random_signal(rows, width, purpose, torch::kFloat64);
  return Vector(x.data_ptr<double>(), x.data_ptr<double>() + x.numel());
}

Tensor column(const Vector& x) { return torch::tensor(x, torch::kFloat64).unsqueeze(1); }

double dot(const Vector& x, const Vector& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

std::vector<Operator> operators_of(const SimplicialComplex& complex) {
  std::vector<Operator> all;
  for (int k = 1; k <= complex.order(); ++k) {
    all.push_back(boundary_of(complex, k));
    all.push_back(coboundary_of(complex, k));
  }
  return all;
}

TEST(PairMatrix, IsTheGramMatrixOfTheIncidences) {
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    for (const Operator& op : operators_of(complex)) {
      const Tensor gram = op.dense.mm(op.dense.t());
      EXPECT_EQ(distance(dense(pair_matrix(op.T, op.transposed, 1000)), gram), 0);
      // Columns longer than the cap leave only their diagonal.
      const Tensor longer = (op.dense.abs().sum(0) > 2).to(torch::kFloat64);
      const Tensor off = (op.dense * longer).mm(op.dense.t());
      EXPECT_EQ(distance(dense(pair_matrix(op.T, op.transposed, 2)), gram - off + off.diag().diag()), 0);
    }
  }
}

TEST(GaugeKernel, IsTheKernelOfASignedGraphLaplacian) {
  const auto dimension = [](const SimplicialComplex& complex, int k) {
    const Operator op = coboundary_of(complex, k);
    const PairMatrix A = pair_matrix(op.T, op.transposed, 8);
    const GaugeKernel kernel = gauge_kernel(A);
    const auto count = static_cast<std::int64_t>(kernel.squared_norm.size());
    Tensor vectors = torch::zeros({A.size(), count}, torch::kFloat64);
    for (Index i = 0; i < A.size(); ++i) {
      if (kernel.vector_of[i] != GaugeKernel::none) vectors[i][kernel.vector_of[i]] = double(kernel.sign[i]);
    }
    EXPECT_EQ(distance(dense(A).mm(vectors), torch::zeros_like(vectors)), 0);
    for (std::int64_t v = 0; v < count; ++v)
      EXPECT_EQ(vectors.t()[v].square().sum().item<double>(), kernel.squared_norm[v]);
    return count;
  };
  EXPECT_EQ(dimension(sheet(5, 4, true), 2), 1);  // oriented and closed
  EXPECT_EQ(dimension(copies(sheet(5, 4, true), 2), 2), 2);
  EXPECT_EQ(dimension(klein_bottle(5), 2), 0);  // closed, no orientation
  EXPECT_EQ(dimension(sheet(5, 4), 2), 0);      // oriented, with a border
  EXPECT_EQ(dimension(cycle(7), 1), 1);
}

TEST(Aggregation, CoarseMatrixIsTheGalerkinProduct) {
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    for (const Operator& op : operators_of(complex)) {
      const PairMatrix A = pair_matrix(op.T, op.transposed, 1000);
      const Aggregation aggregation = aggregate(A, 4);
      const Tensor P = dense(aggregation);
      EXPECT_EQ(distance(dense(coarse_matrix(A, aggregation)), P.t().mm(dense(A)).mm(P)), 0);
      for (Index i = 0; i < A.size(); ++i) {
        EXPECT_EQ(aggregation.group[i] == Aggregation::none, A.diagonal[i] == 0);
      }
    }
  }
}

TEST(Aggregation, TheGaugeMakesCouplingsWithinAGroupNegative) {
  const SimplicialComplex complex = shuffled(sheet(20, 20));
  const PairMatrix A = pair_matrix(coboundary_lists(complex, 2), boundary_lists(complex, 2), 8);
  const Aggregation aggregation = aggregate(A, 4);
  EXPECT_LT(aggregation.groups(), A.size() / 3);
  for (Index i = 0; i < A.size(); ++i) {
    for (Offset e = A.start[i]; e < A.start[i + 1]; ++e) {
      const Index j = A.column[e];
      if (aggregation.group[i] == aggregation.group[j]) {
        EXPECT_LT(aggregation.sign[i] * aggregation.sign[j] * A.value[e], 0);
      }
    }
  }
}

TEST(Aggregation, LeavesJoinTheirHub) {
  ComplexBuilder builder;
  for (Vertex v = 1; v <= 1000; ++v) builder.add({0, v});
  const SimplicialComplex star = builder.build();
  EXPECT_LE(aggregate(pair_matrix(boundary_lists(star, 1), coboundary_lists(star, 1), 8), 4).groups(), 2);
}

TEST(BlockGaussSeidel, SweepsAreTransposedAndTheResidualIsRight) {
  const SimplicialComplex complex = shuffled(sheet(70, 70));  // more rows than one block
  const BlockGaussSeidel smoother(pair_matrix(coboundary_lists(complex, 2), boundary_lists(complex, 2), 8));
  ASSERT_TRUE(smoother.has_blocks());
  const Index n = smoother.size();
  const auto smooth = [&](const Vector& r) {
    Vector x(n), scratch(n);
    smoother.forward_from_zero(r.data(), x.data(), 1);
    smoother.backward(r.data(), x.data(), scratch.data(), 1);
    return x;
  };
  const Vector r = random_vector(n, 1, "r"), s = random_vector(n, 1, "s");
  const Vector x = smooth(r);
  EXPECT_NEAR(dot(s, x), dot(r, smooth(s)), 1e-10 * n);
  // One symmetric step contracts the energy: x · A x ≤ x · r.
  Vector Ax(n);
  const double energy = smoother.multiply(x.data(), Ax.data(), 1)[0];
  EXPECT_NEAR(energy, dot(x, Ax), 1e-10 * n);
  EXPECT_LE(energy, dot(x, r));

  const Aggregation P = aggregate(smoother.matrix(), 4);
  Vector forward(n), coarse(P.groups()), expected(P.groups(), 0.0);
  smoother.forward_from_zero(r.data(), forward.data(), 1);
  smoother.restrict_residual(P, forward.data(), coarse.data(), 1);
  smoother.multiply(forward.data(), Ax.data(), 1);
  for (Index i = 0; i < n; ++i) expected[P.group[i]] += P.sign[i] * (r[i] - Ax[i]);
  for (Index g = 0; g < P.groups(); ++g) EXPECT_NEAR(coarse[g], expected[g], 1e-12);
}

TEST(SemidefiniteFactor, SolvesConsistentSingularSystems) {
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    for (const Operator& op : operators_of(complex)) {
      const PairMatrix A = pair_matrix(op.T, op.transposed, 1000);
      const Vector y = random_vector(A.size(), 1, "y");
      const Tensor b = dense(A).mm(column(y));
      Vector r(b.contiguous().data_ptr<double>(), b.contiguous().data_ptr<double>() + b.numel()), x(r.size());
      SemidefiniteFactor(A).solve(r.data(), x.data(), 1);
      EXPECT_LE(distance(dense(A).mm(column(x)), b), 1e-9);
    }
  }
}

TEST(ReorderedLists, AreTheSameOperator) {
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    for (const Operator& op : operators_of(complex)) {
      const ReorderedLists reordered(op.T, op.transposed);
      const Vector x = random_vector(op.T.rows, 1, "x");
      Vector moved(x.size()), middle(op.T.columns), product(x.size()), back(x.size());
      for (std::size_t i = 0; i < x.size(); ++i) moved[i] = x[reordered.row_order()[i]];
      reordered.transposed().multiply(moved.data(), middle.data(), 1);
      reordered.lists().multiply(middle.data(), product.data(), 1);
      for (std::size_t i = 0; i < x.size(); ++i) back[reordered.row_order()[i]] = product[i];
      EXPECT_LE(distance(column(back), op.dense.mm(op.dense.t()).mm(column(x))), 1e-12);
    }
  }
}

TEST(GramSystem, BothPreconditionersSolve) {
  const SimplicialComplex samples[] = {shuffled(sheet(18, 18, false, true)), shuffled(solid(3)),
                                       shuffled(sheet_with_pages(12, 20))};
  for (const SimplicialComplex& complex : samples) {
    for (const Operator& op : operators_of(complex)) {
      for (const Preconditioner preconditioner : {Preconditioner::jacobi, Preconditioner::multigrid}) {
        const GramSystem system(op.T, op.transposed, preconditioner);
        const Vector u = random_vector(op.T.columns, 4, "u");
        Vector r(std::size_t(op.T.rows) * 4), x(r.size()), middle(u.size()), product(r.size());
        op.T.multiply(u.data(), r.data(), 4);
        SolveTargets targets;
        targets.residual.fill(1e-9);
        targets.error.fill(1e-9);
        const SolveReport report = system.solve(4, r.data(), x.data(), targets, 5000);
        op.transposed.multiply(x.data(), middle.data(), 4);
        op.T.multiply(middle.data(), product.data(), 4);
        for (std::size_t i = 0; i < r.size(); ++i) ASSERT_NEAR(product[i], r[i], 1e-8);
        for (int c = 0; c < 4; ++c) EXPECT_LE(report.error[c], 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace gsan
