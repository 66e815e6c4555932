#pragma once
// Facets, the simplices that no other contains, and their members: the k-simplices of each. A table of them
// takes a simplex to all that it is part of in one step, however many orders lie between.

#include "gsan/hodge/operators.h"

namespace gsan {

/// The facets of order k and above, by increasing order, then by row; every k-simplex is in one at least. On
/// the device of the operators, int64:
struct FacetMembers {
  Tensor offsets;    ///< [M + 1]: facet f owns the entries offsets[f] … offsets[f+1] − 1
  Tensor members;    ///< [P]: the k-simplex of each entry
  Tensor of_member;  ///< [N_k + 1]: simplex i owns the places of_member[i] … of_member[i+1] − 1 of `facets`
  Tensor facets;     ///< [P]: the facets of each simplex, increasing
};

/// Made once for the operators. A row of a padding is a facet of its own. The order of entries does not
/// depend on the order in which rows are arranged. Fault::resource when the table passes their max_memory.
const FacetMembers& facet_members(const ComplexOperators& operators, int k);

}  // namespace gsan
