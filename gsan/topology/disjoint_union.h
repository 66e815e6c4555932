#pragma once
// Many complexes as one: the structure behind a batch.
//
// The vertices of a part are shifted behind those of the parts before it, so the rows
// of each order are the rows of the parts, one block after the other, with the same
// signs: a batched signal is the concatenation of the parts' signals.

#include <span>
#include <vector>

#include "gsan/topology/complex.h"

namespace gsan {

struct DisjointUnion {
  SimplicialComplex complex;
  /// Rows offsets[k][p] … offsets[k][p + 1] − 1 of order k belong to part p; one list of
  /// part_count + 1 offsets for each order 0 … complex.order().
  std::vector<std::vector<Index>> offsets;
  Index part_count = 0;

  /// The part that row i of order k belongs to; O(log parts).
  Index part_of(int k, Index i) const;

  /// part_of for every row of order k.
  std::vector<Index> parts_of_rows(int k) const;

  /// Part p again, equal to what went in.
  SimplicialComplex part(Index p) const;
};

/// Parts may be empty and of different orders. Linear in the size of the result. `with_cofaces`: its coface
/// lists are made at once, as shifted copies of those of the parts, which keep theirs for the next union.
DisjointUnion disjoint_union(std::span<const SimplicialComplex> parts, bool with_cofaces = false);

}  // namespace gsan
