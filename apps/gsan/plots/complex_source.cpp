#include "apps/gsan/plots/complex_source.h"

#include <algorithm>

#include "gsan/core/check.h"
#include "gsan/core/text.h"
#include "gsan/data/formats/mesh/vtu.h"
#include "gsan/data/formats/signal_order.h"
#include "gsan/data/formats/text/number.h"
#include "gsan/plot/layout.h"

namespace gsan::app {
namespace {

// Coordinates in the order of the complex; no columns where there are none.
Signal coordinates_of(const Input& input, const std::string& points) {
  const ListedComplex& listed = input.file.listed;
  if (!points.empty()) {
    const Signal signal = read_signal(points, {.allow_missing = true});
    try {
      return to_complex_order(signal, list_of(signal, listed, 0), listed, /*oriented=*/false);
    } catch (const Error& error) {
      fail(error.fault(), "--points: ", points, ": ", error.what());
    }
  }
  if (!input.file.has_points) return {};
  return to_complex_order(input.file.values[0], listed, 0, /*oriented=*/false);
}

}  // namespace

void ComplexSource::add_to(CLI::App& command) {
  input.add_to(command);
  command
      .add_option("--points", points,
                  "CSV or NPY with the coordinates of the vertices (default: those of the file)")
      ->type_name("FILE");
  command.add_option("--layout", layout, "of a complex without coordinates: spring or spectral")
      ->check(CLI::IsMember({"spring", "spectral"}))
      ->capture_default_str();
  command
      .add_option("--view", view,
                  "of points in space: principal (the axes of largest variance), xy, xz, yz, or "
                  "AZIMUTH,ELEVATION in degrees")
      ->capture_default_str();
}

DrawnComplex ComplexSource::read() const {
  DrawnComplex drawn{.input = input.read(), .points = {}, .places = {}, .labels = {}};
  const Labels& labels = drawn.input.file.listed.labels;
  GSAN_CHECK(drawn.complex().count(0) > 0, drawn.input.source,
             ": the complex is empty, there is nothing to draw");
  Signal coordinates = coordinates_of(drawn.input, points);
  drawn.dimension = static_cast<int>(coordinates.columns);
  drawn.points = std::move(coordinates.values);
  drawn.places = drawn.dimension > 0 ? project_points(drawn.points, drawn.dimension, view)
                                     : VertexPlaces{vertex_layout(drawn.complex(), layout_kind(layout)), {}};
  for (Vertex v = 0; v < drawn.complex().count(0); ++v) drawn.labels.push_back(labels.text(v));
  return drawn;
}

std::string vtu_of(const DrawnComplex& drawn, const std::vector<OrderSignal>& signals) {
  std::vector<VtuSignal> columns;
  for (const OrderSignal& signal : signals) columns.push_back({signal.name, signal.order, signal.values});
  return drawn.dimension > 0 ? print_vtu(drawn.complex(), drawn.points, drawn.dimension, columns)
                             : print_vtu(drawn.complex(), drawn.places.xy, 2, columns);
}

std::vector<double> column_of(const Signal& signal, std::size_t column) {
  std::vector<double> values(signal.rows);
  for (std::size_t i = 0; i < signal.rows; ++i) values[i] = signal.row(i)[column];
  return values;
}

std::size_t find_column(const std::vector<std::string>& columns, const std::string& name,
                        const std::string& source) {
  GSAN_CHECK(!columns.empty(), source, ": the signal has no columns");
  if (name.empty()) return 0;
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  const auto number = parse_integer(name);
  GSAN_CHECK(number && *number >= 0 && *number < static_cast<std::int64_t>(columns.size()),
             "--column: ", source, " has no column '", name, "'; it has ", joined(columns));
  return static_cast<std::size_t>(*number);
}

}  // namespace gsan::app
