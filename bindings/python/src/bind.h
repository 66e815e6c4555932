#pragma once
// What the files of gsan._core share. Everything here is low level: the package around it
// (bindings/python/gsan) has the names, defaults and checks that users see.

#include <optional>
#include <vector>

#include <torch/csrc/utils/pybind.h>

#include "gsan/hodge/operators.h"

#include "bindings/python/src/without_gil.h"

namespace gsan::python {

namespace py = pybind11;
using ReleaseGil = py::call_guard<WithoutGil>;

/// One entry per order; None stands for "no signal".
using Signals = std::vector<std::optional<Tensor>>;

Cochains to_cochains(const Signals& signals);
Tensor to_tensor(const std::optional<Tensor>& tensor);  ///< undefined for None

// One function per file bind_NAME.cpp.
void bind_errors(py::module_& module);
void bind_complex(py::module_& module);
void bind_lifts(py::module_& module);
void bind_operators(py::module_& module);
void bind_analysis(py::module_& module);
void bind_options(py::module_& module);
void bind_module(py::module_& module);
void bind_data(py::module_& module);
void bind_tasks(py::module_& module);
void bind_plot(py::module_& module);

}  // namespace gsan::python
