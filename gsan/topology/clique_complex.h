#pragma once
// The clique (flag) complex of a graph: its simplices are the cliques.

#include <span>

#include "gsan/topology/complex.h"
#include "gsan/topology/graph.h"
#include "gsan/topology/limits.h"

namespace gsan {

/// All cliques of at most max_order + 1 vertices. Rows and faces are produced directly in
/// their final order: no sorting, no search. Peak memory is that of the finished tables.
///
/// Edges may come in any order and direction and may repeat; a self loop is an error that
/// names the edge. `max_order` may be any number ≥ 0; the order of the result is that of
/// the largest clique found.
SimplicialComplex clique_complex(std::span<const Edge> edges, Index vertex_count, int max_order,
                                 Limits limits = {});
SimplicialComplex clique_complex(Graph graph, int max_order, Limits limits = {});

}  // namespace gsan
