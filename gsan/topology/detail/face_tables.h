#pragma once
// From vertices to faces: the check behind SimplicialComplex::from_sorted_tables.

#include <span>
#include <vector>

#include "gsan/topology/complex.h"

namespace gsan {

/// Per order k ≥ 1 the face table [N_k, k + 1] of these vertex tables; empty for k = 0.
/// Throws unless rows increase, are in strict lexicographic order, have their vertices in
/// 0 … N_0 − 1, and every face is listed.
std::vector<std::vector<Index>> checked_face_tables(std::span<const std::vector<Vertex>> tables);

}  // namespace gsan
