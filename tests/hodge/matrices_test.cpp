#include "gsan/hodge/matrices.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/hodge/dirac.h"

#include "hodge/dense_reference.h"
#include "hodge/sample_complexes.h"
#include "support/random_complex.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

MatrixOptions as(torch::Layout layout, torch::ScalarType type = torch::kFloat64) {
  MatrixOptions options;
  options.layout = layout;
  options.type = type;
  return options;
}

TEST(Matrices, EqualTheDenseDefinitions) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    for (const auto layout : {torch::kSparse, torch::kSparseCsr}) {
      const MatrixOptions o = as(layout);
      for (int k = 0; k <= complex.order() + 1; ++k) {
        EXPECT_EQ(distance(incidence_matrix(complex, k, o).to_dense(), dense_boundary(complex, k)), 0);
      }
      for (int k = 0; k <= complex.order(); ++k) {
        EXPECT_EQ(distance(up_laplacian_matrix(complex, k, o).to_dense(), dense_upper_laplacian(complex, k)),
                  0);
        EXPECT_EQ(
            distance(down_laplacian_matrix(complex, k, o).to_dense(), dense_lower_laplacian(complex, k)), 0);
        EXPECT_EQ(distance(hodge_laplacian_matrix(complex, k, o).to_dense(), dense_laplacian(complex, k)), 0);
      }
      EXPECT_EQ(distance(dirac_operator_matrix(complex, o).to_dense(), dense_dirac(complex)), 0);
    }
  }
}

TEST(Matrices, MultiplyAsTheAppliedOperators) {
  const SimplicialComplex complex = sheet(6, 5, false, true);
  const ComplexOperators operators(complex);
  const Cochains x = random_cochains(complex, 3);
  const MatrixOptions o = as(torch::kSparseCsr);
  for (int k = 0; k <= 2; ++k) {
    EXPECT_LT(distance(incidence_matrix(complex, k, o).matmul(x[k]), operators.incidence(k).boundary(x[k])),
              1e-12);
    EXPECT_LT(distance(hodge_laplacian_matrix(complex, k, o).matmul(x[k]), operators.laplacian(k, x[k])),
              1e-12);
  }
  const Tensor all = dirac_operator_matrix(complex, o).matmul(torch::cat(x));
  EXPECT_LT(distance(all, torch::cat(dirac(operators, x))), 1e-12);
}

TEST(Matrices, AreCoalescedWithoutZeros) {
  const SimplicialComplex complex = complete_complex(6, 2);
  const Tensor L = hodge_laplacian_matrix(complex, 1);  // 6 I: everything off the diagonal cancels
  EXPECT_EQ(L.scalar_type(), torch::kFloat32);
  EXPECT_TRUE(L.is_coalesced());
  EXPECT_EQ(L._nnz(), complex.count(1));
  const Tensor D = dirac_operator_matrix(complex);
  EXPECT_TRUE(torch::equal(D._indices(), D.clone()._coalesced_(false).coalesce().indices()));
}

// Back from a file, as a dense matrix.
Tensor read_matrix_market(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line, banner, object, format, field, symmetry;
  std::getline(file, line);
  std::istringstream(line) >> banner >> object >> format >> field >> symmetry;
  EXPECT_EQ(banner + object + format + field, "%%MatrixMarketmatrixcoordinateinteger");
  while (std::getline(file, line) && line[0] == '%') {
  }
  std::int64_t rows = 0, columns = 0, entries = 0, i = 0, j = 0, read = 0;
  std::istringstream(line) >> rows >> columns >> entries;
  Tensor matrix = torch::zeros({rows, columns}, torch::kFloat64);
  for (double value = 0; file >> i >> j >> value; ++read) {
    matrix[i - 1][j - 1] = value;
    if (symmetry == "symmetric") {
      EXPECT_LE(j, i);
      matrix[j - 1][i - 1] = value;
    }
  }
  EXPECT_EQ(read, entries);
  return matrix;
}

TEST(Matrices, MatrixMarketFilesReadBack) {
  const TemporaryFolder folder;
  for (const std::uint64_t seed : {0, 1, 6, 7}) {
    const SimplicialComplex complex = random_complex(seed);
    const auto write = [&](ComplexMatrix matrix, int rank) {
      return read_matrix_market(write_matrix_market(folder.path(), complex, matrix, rank));
    };
    for (int k = 0; k <= complex.order(); ++k) {
      EXPECT_EQ(distance(write(ComplexMatrix::incidence, k), dense_boundary(complex, k)), 0);
      EXPECT_EQ(distance(write(ComplexMatrix::up_laplacian, k), dense_upper_laplacian(complex, k)), 0);
      EXPECT_EQ(distance(write(ComplexMatrix::down_laplacian, k), dense_lower_laplacian(complex, k)), 0);
      EXPECT_EQ(distance(write(ComplexMatrix::hodge_laplacian, k), dense_laplacian(complex, k)), 0);
    }
    EXPECT_EQ(distance(write(ComplexMatrix::dirac_operator, 0), dense_dirac(complex)), 0);
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "hodge_laplacian_matrix_1.mtx"));
  EXPECT_TRUE(std::filesystem::exists(folder / "dirac_operator_matrix.mtx"));
}

TEST(Matrices, RanksThatDoNotExistAndTooLargeOnes) {
  const SimplicialComplex complex = cycle(100);
  EXPECT_THROW(incidence_matrix(complex, 3), Error);
  EXPECT_THROW(incidence_matrix(complex, -1), Error);
  EXPECT_THROW(hodge_laplacian_matrix(complex, 2), Error);
  EXPECT_THROW(hodge_laplacian_matrix(SimplicialComplex(), 0), Error);
  EXPECT_EQ(dirac_operator_matrix(SimplicialComplex()).size(0), 0);
  EXPECT_THROW(incidence_matrix(complex, 1, as(torch::kStrided)), Error);
  MatrixOptions small;
  small.max_memory = 1000;
  try {
    hodge_laplacian_matrix(complex, 1, small);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::resource);
  }
  const TemporaryFolder folder;
  EXPECT_THROW(write_matrix_market(folder / "missing", complex, ComplexMatrix::incidence, 1), Error);
}

}  // namespace
}  // namespace gsan
