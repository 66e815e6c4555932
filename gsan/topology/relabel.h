#pragma once
// The same complex with other vertex names.

#include <span>
#include <vector>

#include "gsan/topology/mapped_complex.h"

namespace gsan {

/// Vertex v becomes new_name[v], a permutation of 0 … N_0 − 1. The sign of a row is
/// that of the permutation which sorts the new names of its simplex, so that with
/// P_k = "gather rows by source, times sign":  B'_k P_k = P_{k−1} B_k.
MappedComplex relabel(const SimplicialComplex& complex, std::span<const Vertex> new_name);

/// The permutation that undoes this one: inverse[new_name[v]] = v. Anything that is
/// not a permutation is an error.
std::vector<Vertex> inverse_permutation(std::span<const Vertex> new_name);

}  // namespace gsan
