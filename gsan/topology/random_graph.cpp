#include "gsan/topology/random_graph.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "gsan/core/check.h"

namespace gsan {

std::vector<Edge> erdos_renyi(Index vertex_count, Index edge_count, RandomStream& random) {
  GSAN_CHECK(vertex_count >= 0 && edge_count >= 0, "erdos_renyi: counts must not be negative, got ",
             vertex_count, " vertices and ", edge_count, " edges");
  const std::uint64_t pairs = static_cast<std::uint64_t>(vertex_count) * (std::max(vertex_count, 1) - 1) / 2;
  GSAN_CHECK(static_cast<std::uint64_t>(edge_count) <= pairs, "erdos_renyi: ", vertex_count,
             " vertices have at most ", pairs, " edges, got ", edge_count);
  // Floyd's sample of edge_count different numbers below `pairs`.
  std::unordered_set<std::uint64_t> chosen;
  chosen.reserve(edge_count);
  std::vector<Edge> edges;
  edges.reserve(edge_count);
  for (std::uint64_t top = pairs - edge_count; top < pairs; ++top) {
    const std::uint64_t draw = random.below(top + 1);
    const std::uint64_t pair = chosen.insert(draw).second ? draw : *chosen.insert(top).first;
    // Pair number v (v − 1) / 2 + u  ↔  (u, v), u < v.
    auto v = static_cast<std::uint64_t>((1 + std::sqrt(1 + 8.0 * static_cast<double>(pair))) / 2);
    while (v * (v - 1) / 2 > pair) --v;
    while (v * (v + 1) / 2 <= pair) ++v;
    edges.push_back({static_cast<Vertex>(pair - v * (v - 1) / 2), static_cast<Vertex>(v)});
  }
  return edges;
}

std::vector<Edge> barabasi_albert(Index vertex_count, Index links, RandomStream& random) {
  GSAN_CHECK(links >= 1 && vertex_count > links,
             "barabasi_albert: needs 1 <= links < vertex_count, got links = ", links, " and ", vertex_count,
             " vertices");
  std::vector<Edge> edges;
  edges.reserve(static_cast<std::size_t>(vertex_count) * links);
  for (Vertex v = 1; v <= links; ++v) edges.push_back({0, v});
  // A random end of a random edge is a vertex drawn by its degree.
  std::vector<Vertex> targets;
  for (Vertex v = links + 1; v < vertex_count; ++v) {
    targets.clear();
    while (static_cast<Index>(targets.size()) < links) {
      const std::uint64_t end = random.below(2 * edges.size());
      const Vertex target = edges[end / 2][end % 2];
      if (std::ranges::find(targets, target) == targets.end()) targets.push_back(target);
    }
    for (const Vertex target : targets) edges.push_back({target, v});
  }
  return edges;
}

std::vector<double> uniform_points(Index count, int dimension, RandomStream& random) {
  GSAN_CHECK(count >= 0 && dimension >= 1, "uniform_points: needs count >= 0 and dimension >= 1, got ", count,
             " and ", dimension);
  std::vector<double> points(static_cast<std::size_t>(count) * dimension);
  for (double& x : points) x = random.uniform();
  return points;
}

}  // namespace gsan
