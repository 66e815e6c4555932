#pragma once
// One step of the downward closure: from the k-simplices to the (k − 1)-simplices.

#include <span>
#include <vector>

#include "gsan/topology/complex.h"

namespace gsan {

/// The rows of `listed` ([N, width], vertices increasing) and all faces of the rows of
/// `above` ([M, width + 1]), in lexicographic order, each once. Time is linear but for
/// sorting the rows that share their smallest vertex; scratch is one copy of the rows.
std::vector<Vertex> sorted_faces(std::span<const Vertex> listed, std::span<const Vertex> above, int width,
                                 Index vertex_count);

}  // namespace gsan
