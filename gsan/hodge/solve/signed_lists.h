#pragma once
// A boundary operator as the lists that a product gathers from: row i of the product is
// Σ_e sign(e) x[index(e)] over the entries e of row i. B_k gathers over coface lists,
// B_kᵀ over face tables; the signs are those of the face table.

#include <span>

#include "gsan/topology/complex.h"

namespace gsan {

struct SignedLists {
  Index rows = 0;
  Index columns = 0;
  std::span<const Index> indices;
  std::span<const Offset> offsets;             // empty: every row has `width` entries
  std::span<const std::uint8_t> face_columns;  // empty: the face column is the place in the row
  int width = 0;

  Offset begin(Index i) const { return offsets.empty() ? Offset{i} * width : offsets[i]; }
  Offset end(Index i) const { return begin(i + 1); }
  Index size(Index i) const { return static_cast<Index>(end(i) - begin(i)); }

  /// Sign of entry e of a row that starts at `first`.
  int sign(Offset first, Offset e) const {
    return face_sign(static_cast<int>(face_columns.empty() ? e - first : face_columns[e]));
  }

  /// y = this · x for blocks [columns, width] → [rows, width] (column_block.h).
  void multiply(const double* x, double* y, int block_width) const;
};

/// B_k, k ≥ 1: rows are (k − 1)-simplices, columns are k-simplices.
SignedLists boundary_lists(const SimplicialComplex& complex, int k);

/// B_kᵀ, k ≥ 1.
SignedLists coboundary_lists(const SimplicialComplex& complex, int k);

}  // namespace gsan
