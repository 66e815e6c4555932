// The second and third eigenvector of the random walk on the graph (Koren 2005), by a fixed number of power
// iterations on the lazy walk (I + D⁻¹A) / 2.

#include <cmath>
#include <utility>

#include "gsan/core/long_work.h"
#include "gsan/plot/detail/layout_graph.h"

namespace gsan {
namespace {

constexpr int iterations = 300;

using Numbers = std::vector<double>;

// ⟨x, y⟩ weighted by degrees, in which the walk is symmetric.
double product(const LayoutGraph& graph, const Numbers& x, const Numbers& y) {
  double sum = 0;
  for (std::size_t v = 0; v < x.size(); ++v)
    sum += static_cast<double>(graph.neighbors(v).size()) * x[v] * y[v];
  return sum;
}

void take_out(const LayoutGraph& graph, Numbers& x, const Numbers& direction) {
  const double share = product(graph, x, direction) / product(graph, direction, direction);
  for (std::size_t v = 0; v < x.size(); ++v) x[v] -= share * direction[v];
}

// Length 1; what has no length is left as it is.
void normalize(const LayoutGraph& graph, Numbers& x) {
  const double length = std::sqrt(product(graph, x, x));
  if (length > 1e-300)
    for (double& value : x) value /= length;
}

Numbers walk(const LayoutGraph& graph, const Numbers& x) {
  Numbers next(x.size());
  for (std::size_t v = 0; v < x.size(); ++v) {
    double sum = 0;
    for (const std::uint32_t u : graph.neighbors(v)) sum += x[u];
    next[v] = (x[v] + sum / static_cast<double>(graph.neighbors(v).size())) / 2;
  }
  return next;
}

}  // namespace

std::vector<double> spectral_places(const LayoutGraph& graph) {
  const std::size_t n = graph.size();
  if (n < 3) return n == 1 ? std::vector<double>{0, 0} : std::vector<double>{0, 0, 1, 0};
  LongWork work("layout of the vertices", iterations);
  const Numbers ones(n, 1);
  const Pivots pivots = far_pivots(graph, 3);
  Numbers x(pivots.distances[0].begin(), pivots.distances[0].end()),
      y(pivots.distances[1].begin(), pivots.distances[1].end());
  for (std::size_t v = 0; v < n; ++v) {  // away from symmetric starts
    x[v] += 0.01 * std::sin(static_cast<double>(v)),
        y[v] += pivots.distances[2][v] + 0.01 * std::cos(3.0 * static_cast<double>(v));
  }
  for (int i = 0; i < iterations; ++i) {
    work.reach(i);
    take_out(graph, x, ones), normalize(graph, x);
    take_out(graph, y, ones), take_out(graph, y, x), normalize(graph, y);
    if (i + 1 < iterations) x = walk(graph, x), y = walk(graph, y);
  }
  // Neighbours about 1 apart, as the other layout has them.
  double length = 0;
  for (std::size_t v = 0; v < n; ++v)
    for (const std::uint32_t u : graph.neighbors(v)) length += std::hypot(x[v] - x[u], y[v] - y[u]);
  const double scale = length > 0 ? static_cast<double>(graph.adjacent.size()) / length : 1;
  std::vector<double> places;
  places.reserve(2 * n);
  for (std::size_t v = 0; v < n; ++v) places.push_back(scale * x[v]), places.push_back(scale * y[v]);
  return places;
}

}  // namespace gsan
