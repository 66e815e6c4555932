#pragma once
// Tables of a complex as numpy arrays, and back.

#include <span>

#include <pybind11/numpy.h>

#include "bindings/python/src/bind.h"

namespace gsan::python {

/// Row-major and of 64 bits, whatever integer type came in; the package refuses other types beforehand.
using IntegerArray = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;
using NumberArray = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// A read-only view that keeps `owner` alive.
template <class T>
py::array view(std::span<const T> values, std::vector<py::ssize_t> shape, const SimplicialComplex& owner) {
  const py::capsule keep(new SimplicialComplex(owner),
                         [](void* held) { delete static_cast<SimplicialComplex*>(held); });
  py::array_t<T> array(std::move(shape), values.data(), keep);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

/// A copy of its own.
template <class T>
py::array_t<T> copy(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

/// A number of `what` that must fit into 32 bits and not be negative.
std::int32_t checked_index(const char* who, const char* what, std::int64_t value);

/// Reports a wrong number of dimensions with the shape.
void check_dimensions(const char* who, const char* name, const py::array& array, int dimensions,
                      const char* shape);

}  // namespace gsan::python
