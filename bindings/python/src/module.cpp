// gsan._core: the compiled part of the Python package.

#include "gsan/topology/delaunay.h"

#include "bindings/python/src/bind.h"

namespace gsan::python {

Tensor to_tensor(const std::optional<Tensor>& tensor) { return tensor ? *tensor : Tensor(); }

Cochains to_cochains(const Signals& signals) {
  Cochains all;
  all.reserve(signals.size());
  for (const auto& signal : signals) all.push_back(to_tensor(signal));
  return all;
}

}  // namespace gsan::python

PYBIND11_MODULE(_core, module) {
  using namespace gsan::python;
  module.doc() = "The compiled part of gsan.";
  module.attr("has_delaunay") = gsan::has_delaunay();
  register_at_fork();
  bind_errors(module);
  bind_complex(module);
  bind_lifts(module);
  bind_operators(module);
  bind_analysis(module);
  bind_options(module);
  bind_module(module);
  bind_data(module);
  bind_tasks(module);
  bind_plot(module);
}
