#pragma once
// Rows that belong to no complex of a batch, so that batches of different sizes have tables of equal sizes.
//
// They come behind the rows of the parts. A simplex of the padding has its faces among the rows of the
// padding one order below, dealt out in turn, and no neighbour but itself; its keys and signals are 0. So
// nothing that is computed of a part depends on them, and no sum over parts reads them.

#include <vector>

#include <torch/types.h>

#include "gsan/hodge/neighborhood/neighborhood.h"

namespace gsan {

struct PaddedSizes {
  std::vector<std::int64_t> rows{};  ///< per order 0 … K; at least N_k
  /// Per order: pairs of neighbours that meet in faces, at least as many as there are, and one for each row
  /// of the padding. Those that meet in cofaces are rows[k] + (k+2)(k+1) rows[k+1].
  std::vector<std::int64_t> face_pairs{};

  std::int64_t pairs(int k, bool through_faces) const;
};

/// Throws unless the sizes hold the complex, with a row of the padding below every simplex of it.
void check_padding(const PaddedSizes& sizes, const SimplicialComplex& complex);

/// A table [N, ...] with zeros in the rows behind; the table itself where it has so many.
Tensor pad_rows(const Tensor& table, std::int64_t rows);

/// Entries behind the last row hold simplex 0, and no row owns them. Without sizes the list itself.
PairList pad_pairs(const PairList& pairs, const PaddedSizes& sizes, int k, bool through_faces);

/// Around the padded list. The pairs behind are their own mirror, share nothing (−1) and have the sign +1.
Neighborhood pad_neighborhood(const Neighborhood& neighborhood, const PairList& padded);

/// The tables of B_k (ops/incidence.h) with `rows` simplices of order k − 1 and `columns` of order k.
std::vector<Tensor> pad_incidence(const std::vector<Tensor>& tables, int k, std::int64_t rows,
                                  std::int64_t columns);

}  // namespace gsan
