#include "gsan/data/sources/flow.h"

#include <algorithm>
#include <utility>

#include <torch/types.h>

#include "gsan/core/check.h"
#include "gsan/core/hash.h"
#include "gsan/core/random.h"
#include "gsan/data/path_flow.h"
#include "gsan/data/points.h"
#include "gsan/data/sources/source.h"
#include "gsan/topology/delaunay.h"
#include "gsan/topology/homology.h"
#include "gsan/topology/subcomplex.h"

namespace gsan {
namespace {

using Point = std::array<double, 2>;
using Path = std::vector<Vertex>;

struct Box {
  Point low, high;
  bool contains(const Point& p) const {
    return low[0] <= p[0] && p[0] <= high[0] && low[1] <= p[1] && p[1] <= high[1];
  }
};

constexpr Box holes[] = {{{.2, .2}, {.4, .4}}, {{.6, .6}, {.8, .8}}};
constexpr Box start_box = {{0, .8}, {.2, 1}}, end_box = {{.8, 0}, {1, .2}};
constexpr Box checkpoint_boxes[] = {{{0, 0}, {.2, .2}}, {{.8, .8}, {1, 1}}};  // by class
constexpr double stray_probability = 0.1;
constexpr int max_planes = 100, max_walks = 100'000;

double squared_distance(const Point& a, const Point& b) {
  const double x = a[0] - b[0], y = a[1] - b[1];
  return x * x + y * y;
}

FlowPlane draw_plane(int count, RandomStream random) {
  std::vector<double> coordinates(2 * static_cast<std::size_t>(count));
  for (double& x : coordinates) x = random.uniform(-0.05, 1.05);
  const auto point = [&](Index v) {
    const auto at = 2 * static_cast<std::size_t>(v);
    return Point{coordinates[at], coordinates[at + 1]};
  };
  const auto in_hole = [&](Vertex v) {
    return std::any_of(std::begin(holes), std::end(holes),
                       [&](const Box& hole) { return hole.contains(point(v)); });
  };
  const SimplicialComplex whole = delaunay(coordinates, 2);
  SimplexRows kept(3);
  for (Index t = 0; t < whole.count(2); ++t) {
    const auto corners = whole.vertices(2, t);
    if (std::none_of(corners.begin(), corners.end(), in_hole)) kept[2].push_back(t);
  }
  const MappedComplex mapped = subcomplex(whole, kept);
  FlowPlane plane{mapped.complex, {}};
  if (plane.complex.order() >= 0)
    for (const Index v : mapped.source[0]) plane.points.push_back(point(v));
  return plane;
}

std::vector<Vertex> vertices_in(const FlowPlane& plane, const Box& box) {
  std::vector<Vertex> inside;
  for (std::size_t v = 0; v < plane.points.size(); ++v)
    if (box.contains(plane.points[v])) inside.push_back(static_cast<Vertex>(v));
  return inside;
}

bool is_usable(const FlowPlane& plane) {
  for (const Box& box : {start_box, end_box, checkpoint_boxes[0], checkpoint_boxes[1]})
    if (vertices_in(plane, box).empty()) return false;
  return betti_numbers(plane.complex) == std::vector<Index>{1, 2, 0};
}

class Walker {
 public:
  explicit Walker(const FlowPlane& plane) : plane_(plane), neighbors_(plane.points.size()) {
    for (Index e = 0; e < plane.complex.count(1); ++e) {
      const auto ends = plane.complex.vertices(1, e);
      neighbors_[static_cast<std::size_t>(ends[0])].push_back(ends[1]);
      neighbors_[static_cast<std::size_t>(ends[1])].push_back(ends[0]);
    }
    starts_ = vertices_in(plane, start_box);
    ends_ = vertices_in(plane, end_box);
    for (std::size_t c = 0; c < 2; ++c) checkpoints_[c] = vertices_in(plane, checkpoint_boxes[c]);
  }

  Path walk(std::size_t label, RandomStream random) const {
    for (int attempt = 0; attempt < max_walks; ++attempt) {
      Path path = try_walk(label, random);
      if (!path.empty()) return path;
    }
    fail(Fault::numeric, "synthetic_flow: no walk reached its end in ", max_walks,
         " attempts; use more points");
  }

 private:
  static Vertex choose(const std::vector<Vertex>& from, RandomStream& random) {
    return from[random.below(from.size())];
  }
  const Point& point(Vertex v) const { return plane_.points[static_cast<std::size_t>(v)]; }

  // Empty when the walk gets stuck.
  Path try_walk(std::size_t label, RandomStream& random) const {
    const Vertex end = choose(ends_, random), checkpoint = choose(checkpoints_[label], random);
    Path path{choose(starts_, random)};
    std::vector<bool> visited(plane_.points.size());
    visited[static_cast<std::size_t>(path[0])] = true;
    for (const Vertex goal : {checkpoint, end}) {
      visited[static_cast<std::size_t>(end)] = goal != end;  // the end comes last
      while (path.back() != goal) {
        std::vector<Vertex> open;
        for (const Vertex v : neighbors_[static_cast<std::size_t>(path.back())])
          if (!visited[static_cast<std::size_t>(v)]) open.push_back(v);
        if (open.empty()) return {};
        const auto nearer = [&](Vertex a, Vertex b) {
          return squared_distance(point(a), point(goal)) < squared_distance(point(b), point(goal));
        };
        const Vertex next = random.uniform() < stray_probability
                                ? choose(open, random)
                                : *std::min_element(open.begin(), open.end(), nearer);
        visited[static_cast<std::size_t>(next)] = true;
        path.push_back(next);
      }
    }
    return path;
  }

  const FlowPlane& plane_;
  std::vector<std::vector<Vertex>> neighbors_;
  std::vector<Vertex> starts_, ends_;
  std::array<std::vector<Vertex>, 2> checkpoints_;
};

}  // namespace

FlowPlane flow_plane(int points, std::uint64_t seed) {
  GSAN_CHECK(points >= 3, "flow_plane: at least 3 points make a triangle, got ", points);
  const RandomStream random = RandomStream(seed, "flow").substream("points");
  for (std::uint64_t attempt = 0; attempt < max_planes; ++attempt) {
    FlowPlane plane = draw_plane(points, random.substream(attempt));
    if (is_usable(plane)) return plane;
  }
  fail(Fault::argument, "flow_plane: ", points, " points made no square with two holes in ", max_planes,
       " attempts; use more (the published flow has 400 or 1000)");
}

SignalDataset synthetic_flow(const FlowOptions& options) {
  GSAN_CHECK(options.signals >= 0, "synthetic_flow: signals must not be negative, got ", options.signals);
  const FlowPlane plane = flow_plane(options.points, options.seed);
  const Walker walker(plane);
  SignalDataset dataset;
  dataset.name = "flow";
  dataset.complex = plane.complex;
  dataset.points = points_tensor(plane.points);
  dataset.signals = torch::zeros({options.signals, plane.complex.count(1), 1}, torch::kFloat64);
  dataset.labels = torch::arange(options.signals, torch::kInt64).remainder(2);
  const RandomStream random = RandomStream(options.seed, "flow").substream("walks");
  const auto edges = static_cast<std::size_t>(plane.complex.count(1));
  auto* flow = dataset.signals.data_ptr<double>();
  for (std::size_t i = 0; i < static_cast<std::size_t>(options.signals); ++i) {
    const Path path = walker.walk(i % 2, random.substream(i));
    add_path(plane.complex, path, {flow + i * edges, edges}, "synthetic_flow");
  }
  return dataset;
}

std::vector<std::string> FlowSettings::faults() const {
  std::vector<std::string> all;
  if (points < 3) all.push_back(concat("points must be at least 3, got ", points));
  if (signals < 0) all.push_back(concat("signals must not be negative, got ", signals));
  if (seed < 0) all.push_back(concat("seed must not be negative, got ", seed));
  return all;
}

std::vector<DataSource> flow_sources() {
  DataSource source{.name = "flow",
                    .what = "walks past two holes in a triangulated square (generated)",
                    .options = FlowSettings{}};
  source.signals = [](const AnyOptions& given, int signals) -> OpenedData<SignalDataset> {
    const auto& settings = given.as<FlowSettings>();
    const FlowOptions options{settings.points, settings.signals > 0 ? settings.signals : signals,
                              static_cast<std::uint64_t>(settings.seed)};
    const std::string made_of =
        concat("points=", options.points, ", signals=", options.signals, ", seed=", options.seed);
    return {synthetic_flow(options), {{"flow: " + made_of, sha256_hex(made_of)}}};
  };
  return {source};
}

}  // namespace gsan
