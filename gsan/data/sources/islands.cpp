#include "gsan/data/sources/islands.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <queue>

#include <torch/types.h>

#include "gsan/core/check.h"
#include "gsan/core/hash.h"
#include "gsan/core/random.h"
#include "gsan/data/path_flow.h"
#include "gsan/data/sources/source.h"
#include "gsan/topology/hex_grid.h"

namespace gsan {
namespace {

constexpr double island_radius = 1.5, row_height = std::numbers::sqrt3 / 2;
constexpr double nearest_ring = 0.8, widest_ring = 2.3;  // of a turn, outside of the island
constexpr int stops = 6;                                 // of a turn
constexpr int least_rows = 9, least_columns = 8;         // columns: per island

std::vector<Disc> discs(const IslandsSettings& settings) {
  std::vector<Disc> all;
  const double apart = static_cast<double>(settings.columns) / settings.holes;
  for (int i = 0; i < settings.holes; ++i)
    all.push_back({(i + 0.5) * apart, 0.5 * (settings.rows - 1) * row_height, island_radius});
  return all;
}

class Drifter {
 public:
  Drifter(const EmbeddedComplex& grid, const IslandsSettings& settings)
      : grid_(grid), islands_(discs(settings)), steps_(static_cast<std::size_t>(grid.complex.count(0))) {
    for (Index e = 0; e < grid.complex.count(1); ++e) {
      const auto ends = grid.complex.vertices(1, e);
      steps_[static_cast<std::size_t>(ends[0])].push_back({ends[1], e});
      steps_[static_cast<std::size_t>(ends[1])].push_back({ends[0], e});
    }
  }

  std::vector<Vertex> walk(bool is_opposite, RandomStream random) const {
    std::vector<double> lengths(static_cast<std::size_t>(grid_.complex.count(1)));
    for (double& length : lengths) length = random.uniform(1, 2);
    const std::size_t first = random.below(islands_.size());
    const std::size_t second = (first + 1 + random.below(islands_.size() - 1)) % islands_.size();
    const int sense = random.below(2) == 0 ? 1 : -1;
    std::vector<Vertex> path;
    go_around(islands_[first], sense, lengths, random, path);
    go_around(islands_[second], is_opposite ? -sense : sense, lengths, random, path);
    return path;
  }

 private:
  struct Step {
    Vertex to;
    Index edge;
  };

  void go_around(const Disc& island, int sense, const std::vector<double>& lengths, RandomStream& random,
                 std::vector<Vertex>& path) const {
    const double start = random.uniform(0, 2 * std::numbers::pi);
    const double ring = island.radius + random.uniform(nearest_ring, widest_ring);
    for (int i = 0; i <= stops; ++i) {
      const double angle = start + sense * i * 2 * std::numbers::pi / stops;
      const Vertex stop = nearest(island.x + ring * std::cos(angle), island.y + ring * std::sin(angle));
      if (path.empty()) path.push_back(stop);
      follow(stop, lengths, path);
    }
  }

  Vertex nearest(double x, double y) const {
    Vertex best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t v = 0; v < steps_.size(); ++v) {
      const double distance = std::hypot(grid_.points[2 * v] - x, grid_.points[2 * v + 1] - y);
      if (distance < least) least = distance, best = static_cast<Vertex>(v);
    }
    return best;
  }

  // Appends the shortest path (Dijkstra) from its last vertex to the goal; searched from the goal, so that it
  // is read off forwards.
  void follow(Vertex goal, const std::vector<double>& lengths, std::vector<Vertex>& path) const {
    std::vector<double> distance(steps_.size(), std::numeric_limits<double>::infinity());
    std::vector<Vertex> next(steps_.size(), -1);
    using Entry = std::pair<double, Vertex>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    distance[static_cast<std::size_t>(goal)] = 0;
    queue.push({0, goal});
    while (!queue.empty()) {
      const auto [reached, vertex] = queue.top();
      queue.pop();
      if (vertex == path.back()) break;
      if (reached > distance[static_cast<std::size_t>(vertex)]) continue;
      for (const Step& step : steps_[static_cast<std::size_t>(vertex)]) {
        const double further = reached + lengths[static_cast<std::size_t>(step.edge)];
        if (further >= distance[static_cast<std::size_t>(step.to)]) continue;
        distance[static_cast<std::size_t>(step.to)] = further;
        next[static_cast<std::size_t>(step.to)] = vertex;
        queue.push({further, step.to});
      }
    }
    while (path.back() != goal) path.push_back(next[static_cast<std::size_t>(path.back())]);
  }

  const EmbeddedComplex& grid_;
  std::vector<Disc> islands_;
  std::vector<std::vector<Step>> steps_;
};

// [count, 1] float64
Tensor normals(Index count, RandomStream random) {
  const Tensor values = torch::empty({count, 1}, torch::kFloat64);
  double* value = values.mutable_data_ptr<double>();
  for (Index i = 0; i < count; ++i) value[i] = random.normal();
  return values;
}

}  // namespace

std::vector<std::string> IslandsSettings::faults() const {
  std::vector<std::string> all;
  if (holes < 2) all.push_back(concat("holes must be at least 2, got ", holes));
  if (rows < least_rows) all.push_back(concat("rows must be at least ", least_rows, ", got ", rows));
  if (columns < least_columns * std::max(holes, 2))
    all.push_back(
        concat("columns must be at least ", least_columns, " per hole (", holes, "), got ", columns));
  if (signals < 0) all.push_back(concat("signals must not be negative, got ", signals));
  if (!std::isfinite(noise) || noise < 0) all.push_back(concat("noise must not be negative, got ", noise));
  if (seed < 0) all.push_back(concat("seed must not be negative, got ", seed));
  return all;
}

EmbeddedComplex islands_grid(const IslandsSettings& settings) {
  options::report("islands_grid", settings.faults());
  return hex_grid(settings.rows, settings.columns, discs(settings));
}

SignalDataset islands_dataset(const IslandsSettings& settings) {
  const EmbeddedComplex grid = islands_grid(settings);
  const Drifter drifter(grid, settings);
  const ComplexOperators operators(grid.complex);
  const RandomStream random(static_cast<std::uint64_t>(settings.seed), "islands");
  SignalDataset dataset;
  dataset.name = "islands";
  dataset.complex = grid.complex;
  dataset.class_names = {"same", "opposite"};
  dataset.points = torch::tensor(grid.points, torch::kFloat64).view({-1, grid.dimension});
  dataset.labels = torch::arange(settings.signals, torch::kInt64).remainder(2);
  dataset.signals = torch::zeros({settings.signals, grid.complex.count(1), 1}, torch::kFloat64);
  const auto edges = static_cast<std::size_t>(grid.complex.count(1));
  auto* flow = dataset.signals.data_ptr<double>();
  for (std::size_t i = 0; i < static_cast<std::size_t>(settings.signals); ++i) {
    const std::vector<Vertex> path = drifter.walk(i % 2 == 1, random.substream("walks").substream(i));
    add_path(grid.complex, path, {flow + i * edges, edges}, "islands");
    if (settings.noise == 0) continue;
    // An edge has two ends and, away from the shores, two triangles: each part has variance 2.
    const RandomStream of_noise = random.substream("noise").substream(i);
    const Tensor noise =
        operators.incidence(1).coboundary(normals(grid.complex.count(0), of_noise.substream("gradient"))) +
        operators.incidence(2).boundary(normals(grid.complex.count(2), of_noise.substream("curl")));
    dataset.signals[static_cast<std::int64_t>(i)].add_(noise, settings.noise / 2);
  }
  return dataset;
}

std::vector<DataSource> islands_sources() {
  DataSource source{.name = "islands",
                    .what = "drifters around two islands, the same way or opposite ways (generated)",
                    .options = IslandsSettings{}};
  source.signals = [](const AnyOptions& given, int signals) -> OpenedData<SignalDataset> {
    auto settings = given.as<IslandsSettings>();
    if (settings.signals == 0) settings.signals = signals;
    const std::string made_of = describe(settings);
    return {islands_dataset(settings), {{"islands: " + made_of, sha256_hex(made_of)}}};
  };
  return {source};
}

}  // namespace gsan
