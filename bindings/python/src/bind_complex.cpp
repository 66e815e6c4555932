// SimplicialComplex: built from vertex lists, read as numpy arrays.

#include <limits>

#include "gsan/core/check.h"
#include "gsan/topology/builder.h"
#include "gsan/topology/orientation.h"
#include "gsan/topology/relabel.h"
#include "gsan/topology/subcomplex.h"

#include "bindings/python/src/numpy.h"

namespace gsan::python {
namespace {

std::string shape_text(const py::array& array) {
  std::string text = "[";
  for (py::ssize_t d = 0; d < array.ndim(); ++d) text += (d > 0 ? ", " : "") + std::to_string(array.shape(d));
  return text + "]";
}

// Vertices of one Python sequence of integers: a list, a tuple, a (frozen)set, an array.
void read_simplex(py::handle item, std::vector<Vertex>& vertices) {
  const auto type_of = [](py::handle value) { return std::string(Py_TYPE(value.ptr())->tp_name); };
  vertices.clear();
  const auto entries = py::reinterpret_steal<py::object>(PyObject_GetIter(item.ptr()));
  if (!entries) {
    PyErr_Clear();
    throw py::type_error("SimplicialComplex: a simplex must be a list of vertices, got " +
                         py::repr(item).cast<std::string>() + " of the type " + type_of(item));
  }
  while (PyObject* next = PyIter_Next(entries.ptr())) {
    const auto entry = py::reinterpret_steal<py::object>(next);
    const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(entry.ptr()));
    if (!number) {
      PyErr_Clear();
      throw py::type_error("SimplicialComplex: a vertex must be an integer, got " +
                           py::repr(entry).cast<std::string>() + " of the type " + type_of(entry) +
                           "; number the vertices, and keep their names in labels");
    }
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    GSAN_CHECK(overflow == 0, "SimplicialComplex: a vertex must lie in 0 ... 2147483646, got ",
               py::str(number).cast<std::string>());
    vertices.push_back(checked_index("SimplicialComplex", "vertex", value));
  }
  if (PyErr_Occurred()) throw py::error_already_set();
}

void add_rows(ComplexBuilder& builder, const IntegerArray& rows) {
  check_dimensions("SimplicialComplex", "simplices", rows, 2, "[simplices, vertices of each]");
  const auto width = static_cast<std::size_t>(rows.shape(1));
  GSAN_CHECK(width > 0 || rows.shape(0) == 0,
             "SimplicialComplex: a simplex has at least one vertex, got rows of none");
  std::vector<Vertex> simplex(width);
  const std::int64_t* value = rows.data();
  for (py::ssize_t i = 0; i < rows.shape(0); ++i) {
    for (Vertex& vertex : simplex) vertex = checked_index("SimplicialComplex", "vertex", *value++);
    builder.add(simplex);
  }
}

SimplicialComplex from_simplices(const py::iterable& simplices, const std::vector<IntegerArray>& tables,
                                 std::int64_t vertices, std::int64_t max_simplices, std::size_t max_memory) {
  ComplexBuilder builder(Limits{max_simplices, max_memory});
  builder.add_vertices(checked_index("SimplicialComplex", "number of vertices", vertices));
  std::vector<Vertex> simplex;
  for (const py::handle item : simplices) {
    read_simplex(item, simplex);
    builder.add(simplex);
  }
  for (const IntegerArray& rows : tables) add_rows(builder, rows);
  const WithoutGil release;
  return builder.build();
}

SimplicialComplex from_sorted_tables(const std::vector<IntegerArray>& tables) {
  std::vector<std::vector<Vertex>> all;
  for (std::size_t k = 0; k < tables.size(); ++k) {
    check_dimensions("SimplicialComplex.from_sorted_tables", "a table", tables[k], 2, "[N_k, k + 1]");
    GSAN_CHECK(tables[k].shape(1) == static_cast<py::ssize_t>(k + 1),
               "SimplicialComplex.from_sorted_tables: the table of order ", k, " must have ", k + 1,
               " columns, got the shape ", shape_text(tables[k]));
    std::vector<Vertex>& rows = all.emplace_back(static_cast<std::size_t>(tables[k].size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i] = checked_index("SimplicialComplex.from_sorted_tables", "vertex", tables[k].data()[i]);
  }
  const WithoutGil release;
  return SimplicialComplex::from_sorted_tables(std::move(all));
}

py::array table(const SimplicialComplex& complex, std::span<const std::int32_t> values, int k) {
  return view<std::int32_t>(values, {complex.count(k), k + 1}, complex);
}

void check_order(const char* who, int k, int least) {
  GSAN_CHECK(k >= least, "SimplicialComplex.", who, ": the rank must be at least ", least, ", got ", k);
}

// Rows of the simplices, −1 for those that are not in the complex; vertices of a row may stand in any order.
py::array_t<std::int64_t> find(const SimplicialComplex& complex, const IntegerArray& simplices) {
  check_dimensions("SimplicialComplex.find", "simplices", simplices, 2, "[simplices, vertices of each]");
  const py::ssize_t count = simplices.shape(0);
  const auto width = static_cast<std::size_t>(simplices.shape(1));
  py::array_t<std::int64_t> rows(count);
  std::vector<Vertex> simplex(width);
  for (py::ssize_t i = 0; i < count; ++i) {
    const std::int64_t* value = simplices.data() + i * static_cast<py::ssize_t>(width);
    bool possible = width > 0;
    for (std::size_t c = 0; c < width; ++c) {
      possible = possible && value[c] >= 0 && value[c] <= std::numeric_limits<Vertex>::max();
      simplex[c] = static_cast<Vertex>(value[c]);
    }
    std::sort(simplex.begin(), simplex.end());
    const auto row = possible ? complex.find(simplex) : std::nullopt;
    rows.mutable_at(i) = row ? *row : -1;
  }
  return rows;
}

py::tuple mapped(const MappedComplex& made) {
  py::list source, sign;
  for (const auto& rows : made.source) source.append(copy(rows));
  for (const auto& signs : made.sign) sign.append(copy(signs));
  return py::make_tuple(made.complex, source, sign);
}

std::vector<Index> indices(const char* who, const char* what, const IntegerArray& values) {
  check_dimensions(who, "the argument", values, 1, "[vertices]");
  std::vector<Index> all(static_cast<std::size_t>(values.size()));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = checked_index(who, what, values.data()[i]);
  return all;
}

}  // namespace

std::int32_t checked_index(const char* who, const char* what, std::int64_t value) {
  GSAN_CHECK(value >= 0 && value < std::numeric_limits<std::int32_t>::max(), who, ": a ", what,
             " must lie in 0 ... 2147483646, got ", value);
  return static_cast<std::int32_t>(value);
}

void check_dimensions(const char* who, const char* name, const py::array& array, int dimensions,
                      const char* shape) {
  GSAN_CHECK(array.ndim() == dimensions, who, ": ", name, " must have the shape ", shape, ", got ",
             shape_text(array));
}

void bind_complex(py::module_& module) {
  using Complex = SimplicialComplex;
  py::class_<Complex>(module, "Complex")
      .def_static("from_simplices", from_simplices, py::arg("simplices"), py::arg("tables"),
                  py::arg("vertices"), py::arg("max_simplices"), py::arg("max_memory"))
      .def_static("from_sorted_tables", from_sorted_tables, py::arg("tables"))
      .def("order", &Complex::order)
      .def("count", &Complex::count, py::arg("k"))
      .def(
          "vertices",
          [](const Complex& complex, int k) {
            check_order("simplices", k, 0);
            return table(complex, complex.vertex_table(k), k);
          },
          py::arg("k"))
      .def(
          "faces",
          [](const Complex& complex, int k) {
            check_order("faces", k, 1);
            return table(complex, complex.face_table(k), k);
          },
          py::arg("k"))
      .def(
          "cofaces",
          [](const Complex& complex, int k) {
            check_order("cofaces", k, 0);
            const auto offsets = complex.coface_offsets(k);
            const auto rows = complex.coface_table(k);
            return py::make_tuple(view<Offset>(offsets, {static_cast<py::ssize_t>(offsets.size())}, complex),
                                  view<Index>(rows, {static_cast<py::ssize_t>(rows.size())}, complex));
          },
          py::arg("k"))
      .def("find", find, py::arg("simplices"))
      .def("memory", &Complex::memory)
      .def(
          "skeleton", [](const Complex& complex, int k) { return mapped(skeleton(complex, k)); },
          py::arg("k"))
      .def(
          "induced",
          [](const Complex& complex, const IntegerArray& kept) {
            return mapped(
                induced_subcomplex(complex, indices("SimplicialComplex.subcomplex", "vertex", kept)));
          },
          py::arg("vertices"))
      .def(
          "relabeled",
          [](const Complex& complex, const IntegerArray& names) {
            return mapped(relabel(complex, indices("SimplicialComplex.relabel", "new name", names)));
          },
          py::arg("names"))
      .def(
          "equals", [](const Complex& a, const Complex& b) { return a == b; }, py::arg("other"));
}

}  // namespace gsan::python
