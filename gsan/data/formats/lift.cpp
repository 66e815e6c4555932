#include "gsan/data/formats/lift.h"

#include <utility>

#include "gsan/data/formats/signal_order.h"
#include "gsan/data/formats/text/points_csv.h"
#include "gsan/topology/clique_complex.h"
#include "gsan/topology/delaunay.h"
#include "gsan/topology/rips.h"

namespace gsan {
namespace {

// The coordinates that the file gives to its vertices, without a complex yet.
LabeledComplex points_of(const ComplexFile& file) {
  LabeledComplex points{{}, file.listed.labels};
  if (!file.has_points) return points;
  Signal values = to_complex_order(file.values[0], file.listed, 0, /*oriented=*/false);
  points.embedded.dimension = static_cast<int>(values.columns);
  points.embedded.points = std::move(values.values);
  return points;
}

}  // namespace

LabeledComplex lift_clique(const ComplexFile& file, int max_order, const Limits& limits) {
  LabeledComplex lifted = points_of(file);
  lifted.embedded.complex = clique_complex(graph_of(file.listed.complex), max_order, limits);
  return lifted;
}

LabeledComplex lift_rips(const ComplexFile& file, double threshold, int max_order, const Limits& limits) {
  LabeledComplex lifted = points_of(file);
  EmbeddedComplex& embedded = lifted.embedded;
  embedded.complex = rips_complex(embedded.points, embedded.dimension, threshold, max_order, limits);
  return lifted;
}

LabeledComplex lift_delaunay(const ComplexFile& file, const Limits& limits) {
  LabeledComplex lifted = points_of(file);
  lifted.embedded.complex = delaunay(lifted.embedded.points, lifted.embedded.dimension, limits);
  return lifted;
}

LabeledComplex lift_mesh(const ComplexFile& file) {
  LabeledComplex lifted = points_of(file);
  lifted.embedded.complex = file.listed.complex;
  return lifted;
}

ComplexFile list_embedded(EmbeddedComplex embedded, Labels labels) {
  const auto rows = static_cast<std::size_t>(embedded.complex.count(0));
  ComplexFile file{list_everything(std::move(embedded.complex), std::move(labels)), {}};
  file.values.resize(file.listed.lists.size());
  if (rows > 0 && embedded.dimension > 0) {
    const auto columns = static_cast<std::size_t>(embedded.dimension);
    file.has_points = true;
    Signal& points = file.values[0];
    points.rows = rows;
    points.columns = columns;
    points.values = std::move(embedded.points);
    points.names = coordinate_names(columns);
  }
  return file;
}

}  // namespace gsan
