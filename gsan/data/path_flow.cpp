#include "gsan/data/path_flow.h"

#include <algorithm>
#include <array>

#include "gsan/core/check.h"

namespace gsan {

void add_path(const SimplicialComplex& complex, std::span<const Vertex> path, std::span<double> flow,
              std::string_view who) {
  for (std::size_t i = 1; i < path.size(); ++i) {
    const std::array<Vertex, 2> edge = {std::min(path[i - 1], path[i]), std::max(path[i - 1], path[i])};
    const auto row = complex.find(edge);
    if (!row)
      fail(Fault::format, who, ": a path steps from node ", path[i - 1], " to node ", path[i],
           " (counted from 0), which is no edge");
    // The sign with which the vertex that is reached stands in the boundary of the edge.
    const int column = complex.faces(1, *row)[0] == path[i] ? 0 : 1;
    flow[static_cast<std::size_t>(*row)] += face_sign(column);
  }
}

}  // namespace gsan
