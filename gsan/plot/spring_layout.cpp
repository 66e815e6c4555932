// Springs by stochastic gradient descent (Zheng, Pawar, Goodman 2019) on the terms of a sparse stress model:
// one for each edge, one for each pair of a vertex and a pivot. A component of at most `most_pivots` vertices
// has all of its pairs.

#include <algorithm>
#include <cmath>

#include "gsan/core/long_work.h"
#include "gsan/core/random.h"
#include "gsan/plot/detail/layout_graph.h"

namespace gsan {
namespace {

constexpr std::size_t most_pivots = 60;
constexpr std::size_t most_terms = 20'000'000;  // of pivots; the edges come on top
constexpr int rounds = 30;

struct Spring {
  std::uint32_t a, b;
  float length;
};

std::vector<Spring> springs_of(const LayoutGraph& graph, const Pivots& pivots) {
  std::vector<Spring> springs;
  for (std::size_t v = 0; v < graph.size(); ++v)
    for (const std::uint32_t next : graph.neighbors(v))
      if (v < next) springs.push_back({static_cast<std::uint32_t>(v), next, 1});
  for (std::size_t p = 0; p < pivots.vertices.size(); ++p)
    for (std::uint32_t v = 0; v < graph.size(); ++v)
      if (pivots.distances[p][v] > 1)
        springs.push_back(
            {static_cast<std::uint32_t>(pivots.vertices[p]), v, static_cast<float>(pivots.distances[p][v])});
  return springs;
}

// Distances to two far pivots, and a small shift that keeps vertices apart whose distances are equal.
std::vector<double> first_places(const LayoutGraph& graph, const Pivots& pivots, RandomStream& random) {
  std::vector<double> places(2 * graph.size());
  const std::size_t other = std::min<std::size_t>(2, pivots.vertices.size() - 1);
  for (std::size_t v = 0; v < graph.size(); ++v) {
    places[2 * v] = pivots.distances[0][v] + 0.1 * random.uniform();
    places[2 * v + 1] = pivots.distances[other][v] + 0.1 * random.uniform();
  }
  return places;
}

}  // namespace

std::vector<double> spring_places(const LayoutGraph& graph) {
  if (graph.size() == 1) return {0, 0};
  LongWork work("layout of the vertices", rounds);
  RandomStream random(0, "layout");
  const std::size_t count = std::clamp<std::size_t>(most_terms / graph.size(), 10, most_pivots);
  const Pivots pivots = far_pivots(graph, count);
  std::vector<Spring> springs = springs_of(graph, pivots);
  std::vector<double> places = first_places(graph, pivots, random);
  double longest = 1;
  for (const Spring& spring : springs) longest = std::max<double>(longest, spring.length);
  random.shuffle(springs);
  // Steps fall from "the longest spring at once" to a tenth of the way for the shortest.
  const double decay = std::log(0.1 / (longest * longest)) / (rounds - 1);
  for (int round = 0; round < rounds; ++round) {
    work.reach(round);
    const double step = longest * longest * std::exp(decay * round);
    for (const auto& [a, b, length] : springs) {
      const double share = std::min(1.0, step / (static_cast<double>(length) * length));
      const double dx = places[2 * a] - places[2 * b], dy = places[2 * a + 1] - places[2 * b + 1];
      const double distance = std::max(std::sqrt(dx * dx + dy * dy), 1e-9);
      const double move = share * (distance - length) / 2 / distance;
      places[2 * a] -= move * dx, places[2 * a + 1] -= move * dy;
      places[2 * b] += move * dx, places[2 * b + 1] += move * dy;
    }
  }
  return places;
}

}  // namespace gsan
