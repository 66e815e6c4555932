#pragma once
// Complexes inside a complex. Kept vertices are renumbered in their old order, so
// rows keep their order and every sign of the result is +1.

#include <span>
#include <vector>

#include "gsan/topology/mapped_complex.h"

namespace gsan {

/// A set of simplices: rows of each order, in any order, repeats allowed on input;
/// increasing and unique on output. Missing orders at the end are empty.
using SimplexRows = std::vector<std::vector<Index>>;

/// The set with every face of its members.
SimplexRows closure(const SimplicialComplex& complex, const SimplexRows& chosen);

/// The complex of the chosen simplices and all their faces.
MappedComplex subcomplex(const SimplicialComplex& complex, const SimplexRows& chosen);

/// Every simplex whose vertices are all kept.
MappedComplex induced_subcomplex(const SimplicialComplex& complex, std::span<const Vertex> kept);

/// The simplices of order at most k; k = −1 gives the empty complex.
MappedComplex skeleton(const SimplicialComplex& complex, int k);

}  // namespace gsan
