#pragma once
// A path on the vertices of a complex as a signal on its edges.

#include <span>
#include <string_view>

#include "gsan/topology/complex.h"

namespace gsan {

/// Adds to `flow` [N_1] how often the path runs along each edge, against its orientation counted as
/// −1; so B_1 flow is 1 at the end of the path and −1 at its start. A step along no edge is
/// Fault::format; `who` begins its message.
void add_path(const SimplicialComplex& complex, std::span<const Vertex> path, std::span<double> flow,
              std::string_view who);

}  // namespace gsan
