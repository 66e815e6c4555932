// Complexes from graphs, points, files and examples.

#include <algorithm>
#include <limits>

#include "gsan/core/check.h"
#include "gsan/data/formats/read_complex.h"
#include "gsan/topology/clique_complex.h"
#include "gsan/topology/delaunay.h"
#include "gsan/topology/examples.h"
#include "gsan/topology/rips.h"

#include "bindings/python/src/numpy.h"

namespace gsan::python {
namespace {

SimplicialComplex clique(const IntegerArray& edge_index, std::int64_t vertices, int max_order,
                         bool skip_loops, std::int64_t max_simplices, std::size_t max_memory) {
  check_dimensions("SimplicialComplex.from_edge_index", "edge_index", edge_index, 2, "[2, edges]");
  GSAN_CHECK(edge_index.shape(0) == 2,
             "SimplicialComplex.from_edge_index: edge_index must have the shape [2, edges], "
             "got [",
             edge_index.shape(0), ", ", edge_index.shape(1), "]");
  GSAN_CHECK(max_order >= 0, "SimplicialComplex.from_edge_index: max_order must not be negative, got ",
             max_order);
  const Index count = checked_index("SimplicialComplex.from_edge_index", "number of vertices", vertices);
  const std::int64_t *from = edge_index.data(), *to = from + edge_index.shape(1);
  std::vector<Edge> edges;
  edges.reserve(static_cast<std::size_t>(edge_index.shape(1)));
  for (py::ssize_t e = 0; e < edge_index.shape(1); ++e) {
    if (skip_loops && from[e] == to[e]) continue;
    edges.push_back({checked_index("SimplicialComplex.from_edge_index", "vertex", from[e]),
                     checked_index("SimplicialComplex.from_edge_index", "vertex", to[e])});
  }
  const WithoutGil release;
  return clique_complex(edges, count, max_order, {max_simplices, max_memory});
}

std::span<const double> coordinates(const NumberArray& points) {
  check_dimensions("SimplicialComplex.from_points", "points", points, 2, "[points, dimension]");
  return {points.data(), static_cast<std::size_t>(points.size())};
}

SimplicialComplex rips(const NumberArray& points, double radius, int max_order, std::int64_t max_simplices,
                       std::size_t max_memory) {
  const auto all = coordinates(points);
  const int dimension = static_cast<int>(points.shape(1));
  const WithoutGil release;
  return rips_complex(all, dimension, radius, max_order, {max_simplices, max_memory});
}

SimplicialComplex delaunay_of(const NumberArray& points, std::int64_t max_simplices, std::size_t max_memory) {
  const auto all = coordinates(points);
  const int dimension = static_cast<int>(points.shape(1));
  const WithoutGil release;
  return delaunay(all, dimension, {max_simplices, max_memory});
}

py::object points_of(const std::vector<double>& values, std::size_t dimension) {
  if (dimension == 0) return py::none();
  return py::array_t<double>({values.size() / dimension, dimension}, values.data());
}

py::tuple example(const std::string& name) {
  const EmbeddedComplex made = example_complex(name);
  return py::make_tuple(made.complex, points_of(made.points, static_cast<std::size_t>(made.dimension)));
}

py::list example_list() {
  py::list all;
  for (const Example& entry : examples())
    all.append(py::make_tuple(std::string(entry.name), std::string(entry.description), entry.betti));
  return all;
}

// The complex, the labels of its vertices as the file has them, and the coordinates or None.
py::tuple read(const std::string& path, const std::string& format, bool skip_degenerate, int max_order,
               std::int64_t max_simplices, std::size_t max_memory) {
  ReadOptions options;
  options.max_order = max_order;
  options.limits = {max_simplices, max_memory};
  options.skip_degenerate = skip_degenerate;
  ComplexFile file;
  {
    const WithoutGil release;
    file = read_complex(path, format, options);
  }
  const SimplicialComplex& complex = file.listed.complex;
  py::list labels;
  for (Index v = 0; v < complex.count(0); ++v) {
    const std::string text = file.listed.labels.text(v);
    if (file.listed.labels.is_integer(v)) {
      labels.append(std::stoll(text));
    } else {
      labels.append(text);
    }
  }
  py::object values = py::none();
  if (file.has_points) {
    // Listed order → rows of the complex.
    const Signal& listed = file.values[0];
    std::vector<double> rows(static_cast<std::size_t>(complex.count(0)) * listed.columns,
                             std::numeric_limits<double>::quiet_NaN());
    const ListedSimplices& list = file.listed.list(0);
    for (Index r = 0; r < list.size(); ++r)
      std::copy_n(listed.row(static_cast<std::size_t>(r)).begin(), listed.columns,
                  rows.begin() + static_cast<std::ptrdiff_t>(list.rows[r]) *
                                     static_cast<std::ptrdiff_t>(listed.columns));
    values = points_of(rows, listed.columns);
  }
  return py::make_tuple(complex, labels, values);
}

}  // namespace

void bind_lifts(py::module_& module) {
  module.def("clique_complex", clique, py::arg("edge_index"), py::arg("vertices"), py::arg("max_order"),
             py::arg("skip_loops"), py::arg("max_simplices"), py::arg("max_memory"));
  module.def("rips_complex", rips, py::arg("points"), py::arg("radius"), py::arg("max_order"),
             py::arg("max_simplices"), py::arg("max_memory"));
  module.def("delaunay", delaunay_of, py::arg("points"), py::arg("max_simplices"), py::arg("max_memory"));
  module.def("example", example, py::arg("name"));
  module.def("examples", example_list);
  module.def("read_complex", read, py::arg("path"), py::arg("format"), py::arg("skip_degenerate"),
             py::arg("max_order"), py::arg("max_simplices"), py::arg("max_memory"));
}

}  // namespace gsan::python
