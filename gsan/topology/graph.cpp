#include "gsan/topology/graph.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "gsan/core/check.h"
#include "gsan/topology/budget.h"

namespace gsan {
namespace {

[[noreturn]] void reject(std::string_view who, std::span<const Edge> edges, Index vertex_count) {
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto [a, b] = edges[e];
    GSAN_CHECK(a != b, who, ": an edge joins two different vertices, got the self loop (", a, " ", b,
               ") as edge ", e, " (counted from 0); remove it");
    GSAN_CHECK(std::min(a, b) >= 0 && std::max(a, b) < vertex_count, who, ": vertices must lie in 0 ... ",
               vertex_count - 1, " (there are ", vertex_count, "), got edge ", e, " = (", a, " ", b, ")");
  }
  fail(Fault::argument, who, ": the edge list changed while it was read");
}

// Counts → first positions; returns the total.
void accumulate(std::vector<Index>& first) {
  Index sum = 0;
  for (Index& at : first) at = std::exchange(sum, sum + at);
}

}  // namespace

Graph graph_from_edges(std::span<const Edge> edges, Index vertex_count, Limits limits, std::string_view who) {
  GSAN_CHECK(vertex_count >= 0, who, ": vertex_count must not be negative, got ", vertex_count);
  check_simplices(limits, who, vertex_count, "(the vertices alone)");
  const auto size = static_cast<double>(edges.size());
  if (size >= std::numeric_limits<Index>::max()) {
    fail(Fault::resource, who, ": at most 2^31 - 2 edges, got ", edges.size());
  }
  check_memory(limits, who, 16.0 * vertex_count + 8 * size, "the adjacency lists of the edges");

  const auto n = static_cast<std::size_t>(vertex_count);
  Graph graph;
  graph.first.assign(n + 1, 0);
  std::vector<Index> by_larger(n + 1, 0);
  bool valid = true, sorted = true;
  Edge previous{-1, -1};
  for (const Edge& edge : edges) {
    const Vertex low = std::min(edge[0], edge[1]), high = std::max(edge[0], edge[1]);
    if (low < 0 || high >= vertex_count || low == high) {
      valid = false;
      break;
    }
    ++graph.first[low];
    ++by_larger[high];
    sorted &= edge[0] < edge[1] && previous < edge;
    previous = edge;
  }
  if (!valid) reject(who, edges, vertex_count);
  accumulate(graph.first);
  graph.neighbors.resize(edges.size());
  if (sorted) {
    std::ranges::transform(edges, graph.neighbors.begin(), [](const Edge& edge) { return edge[1]; });
    return graph;
  }

  // Two stable scatters: by the larger vertex, then by the smaller one. In the second,
  // repeats of an edge arrive next to each other and are dropped.
  accumulate(by_larger);
  std::vector<Vertex> smaller(edges.size());
  for (const Edge& edge : edges)
    smaller[by_larger[std::max(edge[0], edge[1])]++] = std::min(edge[0], edge[1]);
  std::vector<Index> next(graph.first.begin(), graph.first.end());
  Index position = 0;
  for (Vertex v = 0; v < vertex_count; ++v) {
    for (; position < by_larger[v]; ++position) {  // by_larger[v] is now the end of v's list
      const Vertex u = smaller[position];
      Index& at = next[u];
      if (at == graph.first[u] || graph.neighbors[at - 1] != v) graph.neighbors[at++] = v;
    }
  }
  // Close the gaps that repeats left.
  Index kept = 0;
  for (Vertex u = 0; u < vertex_count; ++u) {
    const Index begin = std::exchange(graph.first[u], kept);
    if (begin != kept)
      std::copy(graph.neighbors.begin() + begin, graph.neighbors.begin() + next[u],
                graph.neighbors.begin() + kept);
    kept += next[u] - begin;
  }
  graph.first[n] = kept;
  if (static_cast<std::size_t>(kept) < graph.neighbors.size()) {
    graph.neighbors.resize(kept);
    graph.neighbors.shrink_to_fit();
  }
  return graph;
}

Graph graph_of(const SimplicialComplex& complex) {
  Graph graph;
  graph.first.assign(static_cast<std::size_t>(complex.count(0)) + 1, 0);
  graph.neighbors.reserve(complex.count(1));
  for (Index e = 0; e < complex.count(1); ++e) {
    const auto edge = complex.vertices(1, e);
    ++graph.first[edge[0]];
    graph.neighbors.push_back(edge[1]);
  }
  accumulate(graph.first);
  return graph;
}

}  // namespace gsan
