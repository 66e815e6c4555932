#include "gsan/plot/detail/layout_graph.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace gsan {
namespace {

constexpr auto unseen = std::numeric_limits<std::uint32_t>::max();

// The number of the component of each vertex, by the edges that join them.
std::vector<std::uint32_t> component_numbers(const SimplicialComplex& complex, std::uint32_t& count) {
  std::vector<std::uint32_t> parent(static_cast<std::size_t>(complex.count(0)));
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t v) {
    for (; parent[v] != v; v = parent[v]) parent[v] = parent[parent[v]];
    return v;
  };
  const auto ends = complex.vertex_table(1);
  for (std::size_t e = 0; e + 1 < ends.size(); e += 2) {
    const std::uint32_t a = root(static_cast<std::uint32_t>(ends[e])),
                        b = root(static_cast<std::uint32_t>(ends[e + 1]));
    parent[std::max(a, b)] = std::min(a, b);
  }
  count = 0;
  std::vector<std::uint32_t> number(parent.size(), unseen);
  for (std::uint32_t v = 0; v < parent.size(); ++v) {  // a root is the smallest vertex of its component
    const std::uint32_t top = root(v);
    number[v] = top == v ? count++ : number[top];
  }
  return number;
}

}  // namespace

std::vector<std::uint32_t> LayoutGraph::distances(std::size_t start) const {
  std::vector<std::uint32_t> distance(size(), unseen), queue{static_cast<std::uint32_t>(start)};
  queue.reserve(size());
  distance[start] = 0;
  for (std::size_t at = 0; at < queue.size(); ++at)
    for (const std::uint32_t next : neighbors(queue[at]))
      if (distance[next] == unseen) distance[next] = distance[queue[at]] + 1, queue.push_back(next);
  return distance;
}

std::vector<LayoutGraph> layout_graphs(const SimplicialComplex& complex) {
  std::uint32_t count = 0;
  const std::vector<std::uint32_t> number = component_numbers(complex, count);
  std::vector<LayoutGraph> graphs(count);
  std::vector<std::uint32_t> place(number.size());
  for (std::size_t v = 0; v < number.size(); ++v) {
    LayoutGraph& graph = graphs[number[v]];
    place[v] = static_cast<std::uint32_t>(graph.size());
    graph.vertices.push_back(static_cast<Vertex>(v));
  }
  const auto ends = complex.vertex_table(1);
  for (LayoutGraph& graph : graphs) graph.offsets.assign(graph.size() + 1, 0);
  const auto each_end = [&](const auto& act) {
    for (std::size_t e = 0; e < ends.size(); ++e) {
      const auto here = static_cast<std::size_t>(ends[e]), there = static_cast<std::size_t>(ends[e ^ 1]);
      act(graphs[number[here]], place[here], place[there]);
    }
  };
  each_end([](LayoutGraph& graph, std::uint32_t a, std::uint32_t) { ++graph.offsets[a + 1]; });
  for (LayoutGraph& graph : graphs) {
    std::partial_sum(graph.offsets.begin(), graph.offsets.end(), graph.offsets.begin());
    graph.adjacent.resize(graph.offsets.back());
  }
  // Filled from the start of each list; the starts move to the ends, and are moved back after it.
  each_end(
      [](LayoutGraph& graph, std::uint32_t a, std::uint32_t b) { graph.adjacent[graph.offsets[a]++] = b; });
  for (LayoutGraph& graph : graphs) {
    std::rotate(graph.offsets.begin(), graph.offsets.end() - 1, graph.offsets.end());
    graph.offsets.front() = 0;
  }
  std::stable_sort(graphs.begin(), graphs.end(),
                   [](const LayoutGraph& a, const LayoutGraph& b) { return a.size() > b.size(); });
  return graphs;
}

Pivots far_pivots(const LayoutGraph& graph, std::size_t count) {
  Pivots pivots;
  std::vector<std::uint32_t> nearest = graph.distances(0);
  while (pivots.vertices.size() < std::min(count, graph.size())) {
    // The vertex that is farthest from all pivots; the first one is farthest from vertex 0.
    const auto far =
        static_cast<std::size_t>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
    pivots.vertices.push_back(far);
    pivots.distances.push_back(graph.distances(far));
    const std::vector<std::uint32_t>& distance = pivots.distances.back();
    for (std::size_t v = 0; v < nearest.size(); ++v)
      nearest[v] = pivots.vertices.size() == 1 ? distance[v] : std::min(nearest[v], distance[v]);
  }
  return pivots;
}

}  // namespace gsan
