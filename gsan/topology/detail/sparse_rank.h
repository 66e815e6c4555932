#pragma once
// Which columns of a sparse matrix over F_p are independent: elimination with pivots
// chosen for little fill-in (the method behind `homology`).

#include <vector>

#include "gsan/topology/complex.h"
#include "gsan/topology/detail/annotations.h"
#include "gsan/topology/detail/prime_field.h"
#include "gsan/topology/limits.h"

namespace gsan {

/// Entries with increasing rows.
using SparseColumn = std::vector<SparseEntry>;

/// A largest set of linearly independent columns; its size is the rank. Fault::resource
/// when fill-in would pass limits.max_memory.
std::vector<Index> independent_columns(std::vector<SparseColumn> columns, Index row_count,
                                       const PrimeField& field, const Limits& limits);

}  // namespace gsan
