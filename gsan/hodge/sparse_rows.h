#pragma once
// The operators of a complex written out entry by entry: for export and tests only, the
// library itself applies them through the face tables.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gsan/topology/complex.h"
#include "gsan/topology/limits.h"

namespace gsan {

enum class ComplexMatrix {
  incidence,        ///< B_rank, [N_{rank−1}, N_rank]
  up_laplacian,     ///< B_{rank+1} B_{rank+1}ᵀ
  down_laplacian,   ///< B_rankᵀ B_rank
  hodge_laplacian,  ///< their sum
  dirac_operator,   ///< D on all orders, one after the other; has no rank
};

/// An integer matrix by rows: columns increase within a row, no entry is zero.
struct SparseRows {
  std::int64_t rows = 0, columns = 0;
  bool symmetric = false;
  std::vector<std::int64_t> start = {0};  ///< [rows + 1]
  std::vector<std::int64_t> column;
  std::vector<std::int32_t> value;
};

/// B_rank exists for 0 ≤ rank ≤ order + 1, the Laplacians for 0 ≤ rank ≤ order; the Dirac operator takes
/// rank 0. Time and memory are linear in the pairs of neighbours; Fault::resource beforehand when
/// they would pass max_memory bytes.
SparseRows sparse_rows(const SimplicialComplex& complex, ComplexMatrix matrix, int rank,
                       std::size_t max_memory = Limits{}.max_memory);

/// "hodge_laplacian_matrix_1", "dirac_operator_matrix": the function's name, then the rank.
std::string matrix_name(ComplexMatrix matrix, int rank);

}  // namespace gsan
