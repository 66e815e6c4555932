// What pictures need besides numbers that others compute.

#include "gsan/plot/layout.h"

#include "bindings/python/src/numpy.h"

namespace gsan::python {

void bind_plot(py::module_& module) {
  module.def(
      "layout",
      [](const SimplicialComplex& complex, const std::string& kind) {
        return copy(vertex_layout(complex, layout_kind(kind)))
            .reshape({py::ssize_t{complex.count(0)}, py::ssize_t{2}});
      },
      py::arg("complex"), py::arg("kind"));
}

}  // namespace gsan::python
