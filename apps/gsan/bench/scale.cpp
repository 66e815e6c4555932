// Time over the number of edges: the exponent of a power law, by least squares in the logarithms.

#include <cmath>
#include <memory>

#include "gsan/topology/delaunay.h"

#include "apps/gsan/bench/bench.h"
#include "apps/gsan/bench/inputs.h"

namespace gsan::app {
namespace {

struct Sizes {
  std::vector<Index> edges{10'000, 30'000, 100'000, 300'000, 1'000'000, 2'000'000, 5'000'000};
  int features = 32;
};

// The slope of log y over log x.
double exponent(const std::vector<std::pair<double, double>>& points) {
  double x = 0, y = 0, xx = 0, xy = 0;
  const double n = static_cast<double>(points.size());
  for (const auto& [size, seconds] : points) {
    x += std::log(size);
    y += std::log(seconds);
    xx += std::log(size) * std::log(size);
    xy += std::log(size) * std::log(seconds);
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace

Benchmark add_scale_bench(CLI::App& command) {
  auto sizes = std::make_shared<Sizes>();
  command.add_option("--edges", sizes->edges, "sizes of the planar Delaunay complexes, about so many edges")
      ->delimiter(',')
      ->check(CLI::Range(100, 300'000'000))
      ->capture_default_str();
  command.add_option("--features", sizes->features, "features in and out")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  return [sizes](BenchSuite& suite) {
    std::vector<std::pair<double, double>> measured;
    for (const Index edges : sizes->edges) {
      const std::string name = concat("delaunay/", edges, " edges/F", sizes->features, "/forward+backward");
      if (!suite.wants(name)) continue;
      if (!has_delaunay()) {
        suite.skip(name, no_delaunay);
        continue;
      }
      const ComplexOperators operators =
          operators_of(random_delaunay(std::max(edges / 3, 3), suite.options()), suite.options());
      LayerCase layer(edge_attention(sizes->features, 2), operators, suite.options());
      Json facts = layer.facts();
      facts["vertex_order"] = suite.options().order;
      const double seconds =
          suite.time(name, facts, layer.work(Passes::both), [&] { layer.forward_backward(); });
      if (seconds > 0) measured.emplace_back(static_cast<double>(operators.count(1)), seconds);
    }
    if (measured.size() > 1) suite.result("exponent of time over edges", exponent(measured));
  };
}

}  // namespace gsan::app
