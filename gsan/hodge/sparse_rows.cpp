#include "gsan/hodge/sparse_rows.h"

#include <algorithm>
#include <utility>

#include "gsan/core/check.h"
#include "gsan/hodge/solve/signed_lists.h"

namespace gsan {
namespace {

using Row = std::vector<std::pair<std::int64_t, std::int32_t>>;  // (column, value), any order, repeats add up

// Row i of T, shifted by `first` columns.
void add_row(const SignedLists& T, Index i, std::int64_t first, Row& row) {
  for (Offset e = T.begin(i); e < T.end(i); ++e)
    row.emplace_back(first + T.indices[e], T.sign(T.begin(i), e));
}

// Row i of T Tᵀ.
void add_product_row(const SignedLists& T, const SignedLists& transposed, Index i, Row& row) {
  for (Offset e = T.begin(i); e < T.end(i); ++e) {
    const Index middle = T.indices[e];
    const int sign = T.sign(T.begin(i), e);
    for (Offset f = transposed.begin(middle); f < transposed.end(middle); ++f) {
      row.emplace_back(transposed.indices[f], sign * transposed.sign(transposed.begin(middle), f));
    }
  }
}

// Σ over the columns of T of (entries)², the pairs that T Tᵀ sums over.
double pair_count(const SignedLists& transposed) {
  double pairs = 0;
  for (Index i = 0; i < transposed.rows; ++i)
    pairs += static_cast<double>(transposed.size(i)) * transposed.size(i);
  return pairs;
}

void append(Row& row, SparseRows& matrix) {
  std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t e = 0; e < row.size();) {
    const std::int64_t column = row[e].first;
    std::int32_t value = 0;
    for (; e < row.size() && row[e].first == column; ++e) value += row[e].second;
    if (value == 0) continue;
    matrix.column.push_back(column);
    matrix.value.push_back(value);
  }
  matrix.start.push_back(static_cast<std::int64_t>(matrix.column.size()));
  row.clear();
}

void reserve(const char* who, SparseRows& matrix, double entries, std::size_t max_memory) {
  // Column and value here, two indices and a value in a torch tensor, the start of each row.
  const double bytes = entries * 36 + static_cast<double>(matrix.rows) * 16;
  if (bytes > static_cast<double>(max_memory)) {
    fail(Fault::resource, who, ": up to ", static_cast<std::int64_t>(entries), " entries need about ",
         static_cast<std::int64_t>(bytes / 0x1p20), " MiB, more than max_memory = ", max_memory >> 20,
         " MiB; raise max_memory, or apply the operator instead of writing it out");
  }
  matrix.start.reserve(matrix.rows + 1);
  matrix.column.reserve(static_cast<std::size_t>(entries));
  matrix.value.reserve(static_cast<std::size_t>(entries));
}

SignedLists boundary_or_none(const SimplicialComplex& complex, int k) {
  return k >= 1 && k <= complex.order() ? boundary_lists(complex, k) : SignedLists{};
}
SignedLists coboundary_or_none(const SimplicialComplex& complex, int k) {
  return k >= 1 && k <= complex.order() ? coboundary_lists(complex, k) : SignedLists{};
}

SparseRows incidence_rows(const SimplicialComplex& complex, int k, std::size_t max_memory) {
  SparseRows matrix;
  matrix.rows = complex.count(k - 1);
  matrix.columns = complex.count(k);
  const SignedLists B = boundary_or_none(complex, k);
  reserve("incidence_matrix", matrix, static_cast<double>(B.indices.size()), max_memory);
  Row row;
  for (Index i = 0; i < matrix.rows; ++i) {
    if (B.rows > 0) add_row(B, i, 0, row);
    append(row, matrix);
  }
  return matrix;
}

SparseRows laplacian_rows(const SimplicialComplex& complex, int k, bool down, bool up,
                          std::size_t max_memory) {
  SparseRows matrix;
  matrix.rows = matrix.columns = complex.count(k);
  matrix.symmetric = true;
  const SignedLists lower = down ? boundary_or_none(complex, k) : SignedLists{};
  const SignedLists lower_transposed = down ? coboundary_or_none(complex, k) : SignedLists{};
  const SignedLists upper = up ? boundary_or_none(complex, k + 1) : SignedLists{};
  const SignedLists upper_transposed = up ? coboundary_or_none(complex, k + 1) : SignedLists{};
  reserve("laplacian_matrix", matrix, pair_count(lower) + pair_count(upper_transposed), max_memory);
  Row row;
  for (Index i = 0; i < matrix.rows; ++i) {
    if (lower.rows > 0) add_product_row(lower_transposed, lower, i, row);
    if (upper.rows > 0) add_product_row(upper, upper_transposed, i, row);
    append(row, matrix);
  }
  return matrix;
}

SparseRows dirac_rows(const SimplicialComplex& complex, std::size_t max_memory) {
  const int K = complex.order();
  SparseRows matrix;
  matrix.symmetric = true;
  double entries = 0;
  std::vector<std::int64_t> first(K + 2, 0);  // of each order
  for (int k = 0; k <= K; ++k) {
    first[k + 1] = first[k] + complex.count(k);
    if (k >= 1) entries += 2.0 * (k + 1) * complex.count(k);
  }
  matrix.rows = matrix.columns = first.back();
  reserve("dirac_operator_matrix", matrix, entries, max_memory);
  Row row;
  for (int k = 0; k <= K; ++k) {
    const SignedLists lower = coboundary_or_none(complex, k), upper = boundary_or_none(complex, k + 1);
    for (Index i = 0; i < complex.count(k); ++i) {
      if (lower.rows > 0) add_row(lower, i, first[k - 1], row);
      if (upper.rows > 0) add_row(upper, i, first[k + 1], row);
      append(row, matrix);
    }
  }
  return matrix;
}

}  // namespace

SparseRows sparse_rows(const SimplicialComplex& complex, ComplexMatrix matrix, int rank,
                       std::size_t max_memory) {
  const bool dirac = matrix == ComplexMatrix::dirac_operator;
  const int last = dirac ? 0 : matrix == ComplexMatrix::incidence ? complex.order() + 1 : complex.order();
  GSAN_CHECK(rank >= 0 && rank <= last, matrix_name(matrix, rank), ": the complex has order ",
             complex.order(), ", so the rank must lie in 0 ... ", last, ", got ", rank);
  switch (matrix) {
    case ComplexMatrix::incidence:
      return incidence_rows(complex, rank, max_memory);
    case ComplexMatrix::up_laplacian:
      return laplacian_rows(complex, rank, false, true, max_memory);
    case ComplexMatrix::down_laplacian:
      return laplacian_rows(complex, rank, true, false, max_memory);
    case ComplexMatrix::hodge_laplacian:
      return laplacian_rows(complex, rank, true, true, max_memory);
    case ComplexMatrix::dirac_operator:
      break;
  }
  return dirac_rows(complex, max_memory);
}

std::string matrix_name(ComplexMatrix matrix, int rank) {
  switch (matrix) {
    case ComplexMatrix::incidence:
      return concat("incidence_matrix_", rank);
    case ComplexMatrix::up_laplacian:
      return concat("up_laplacian_matrix_", rank);
    case ComplexMatrix::down_laplacian:
      return concat("down_laplacian_matrix_", rank);
    case ComplexMatrix::hodge_laplacian:
      return concat("hodge_laplacian_matrix_", rank);
    case ComplexMatrix::dirac_operator:
      break;
  }
  return "dirac_operator_matrix";
}

}  // namespace gsan
