#pragma once
// A simple undirected graph, ready for lifting: for each vertex its larger neighbours,
// increasing. Read in order, these lists are the edges (u < v) in lexicographic order,
// so a position in `neighbors` is a row among the 1-simplices of the lifted complex.

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "gsan/topology/complex.h"
#include "gsan/topology/limits.h"

namespace gsan {

using Edge = std::array<Vertex, 2>;

struct Graph {
  std::vector<Index> first{0};    ///< [vertex_count + 1]
  std::vector<Vertex> neighbors;  ///< of u: first[u] … first[u + 1]

  Index vertex_count() const { return static_cast<Index>(first.size()) - 1; }
  Index edge_count() const { return static_cast<Index>(neighbors.size()); }
};

/// Edges in any order and direction, repeats allowed. An edge from a vertex to itself,
/// or with a vertex outside 0 … vertex_count − 1, is an error that names it; `who`
/// begins its message.
Graph graph_from_edges(std::span<const Edge> edges, Index vertex_count, Limits limits = {},
                       std::string_view who = "graph_from_edges");

/// The 1-skeleton of a complex.
Graph graph_of(const SimplicialComplex& complex);

}  // namespace gsan
