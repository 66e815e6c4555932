#include "gsan/data/sources/ocean.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <torch/types.h>

#include "gsan/core/check.h"
#include "gsan/data/fetch/catalog.h"
#include "gsan/data/path_flow.h"
#include "gsan/data/points.h"
#include "gsan/data/sources/catalog_files.h"
#include "gsan/data/sources/source.h"
#include "gsan/topology/builder.h"

namespace gsan {
namespace {

using Point = std::array<double, 2>;
using Path = std::vector<Vertex>;

constexpr std::size_t min_nodes = 5;
constexpr double centre_shift = -0.03;

SimplicialComplex build_complex(const DrifterFile& drifters, std::string_view source) {
  ComplexBuilder builder;
  std::set<std::array<Vertex, 2>> edges;
  try {
    builder.add_vertices(static_cast<Index>(drifters.centres.size()));
    for (const auto& [a, b] : drifters.edges) {
      edges.insert({std::min(a, b), std::max(a, b)});
      builder.add({a, b});
    }
    for (const auto& triangle : drifters.triangles) builder.add(triangle);
  } catch (const Error& error) {
    fail(Fault::format, source, ": ", error.what());
  }
  SimplicialComplex complex = builder.build();
  if (static_cast<std::size_t>(complex.count(1)) != edges.size())
    fail(Fault::format, source, ": ", edges.size(),
         " edges are listed, with those of the triangles there are ", complex.count(1),
         "; every edge of a triangle must be listed");
  return complex;
}

Path without_backtracks(const Path& path) {
  Path kept;
  for (const Vertex node : path) {
    if (kept.size() >= 2 && node == kept[kept.size() - 2]) {
      kept.pop_back();
    } else {
      kept.push_back(node);
    }
  }
  return kept;
}

Point centre_of(const std::vector<Point>& points) {
  Point mean{};
  for (const Point& point : points)
    for (std::size_t i = 0; i < 2; ++i) mean[i] += point[i] / static_cast<double>(points.size());
  mean[0] += centre_shift;
  return mean;
}

std::int64_t turn_label(const Point& a, const Point& b, const Point& c, std::string_view source) {
  const double area = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
  if (area == 0)
    fail(Fault::format, source, ": the centre and the ends of a path are on one line: it has no label");
  return area > 0;
}

}  // namespace

SignalDataset ocean_dataset(const DrifterFile& drifters, std::string_view source) {
  SignalDataset dataset;
  dataset.name = "ocean";
  dataset.complex = build_complex(drifters, source);
  dataset.points = points_tensor(drifters.centres);
  const Point centre = centre_of(drifters.centres);
  std::vector<Path> paths;
  for (const Path& stored : drifters.paths) {
    Path path = without_backtracks(stored);
    if (path.size() < min_nodes) continue;
    if (path.front() == path.back()) path.pop_back();
    paths.push_back(std::move(path));
  }
  const auto count = static_cast<std::int64_t>(paths.size());
  const auto edges = static_cast<std::size_t>(dataset.complex.count(1));
  dataset.signals = torch::zeros({count, dataset.complex.count(1), 1}, torch::kFloat64);
  dataset.labels = torch::zeros({count}, torch::kInt64);
  auto* flow = dataset.signals.data_ptr<double>();
  auto* labels = dataset.labels.data_ptr<std::int64_t>();
  const auto place = [&](Vertex node) { return drifters.centres[static_cast<std::size_t>(node)]; };
  for (std::size_t i = 0; i < paths.size(); ++i) {
    add_path(dataset.complex, paths[i], {flow + i * edges, edges}, source);
    labels[i] = turn_label(centre, place(paths[i].front()), place(paths[i].back()), source);
  }
  return dataset;
}

SignalDataset read_ocean(const std::filesystem::path& file) {
  return ocean_dataset(read_drifters(file), file.string());
}

std::vector<DataSource> ocean_sources() {
  DataSource source{.name = "ocean", .what = find_dataset("ocean").what};
  source.signals = [](const AnyOptions&, int) -> OpenedData<SignalDataset> {
    const CatalogFiles files = require_files("ocean");
    OpenedData<SignalDataset> opened{read_ocean(files.folder / "dataBuoys.jld2"), files.hashes};
    opened.data.remarks = {
        "The ocean rows of SCNN, SAT and GSAN were made with the default orientation, although the text says "
        "random; the row of MPSN is with random."};
    return opened;
  };
  return {source};
}

}  // namespace gsan
