// Datasets, opened by the loaders of the command.

#include "gsan/core/options.h"
#include "gsan/data/flow.h"
#include "gsan/data/open_data.h"

#include "bindings/python/src/bind.h"

namespace gsan::python {
namespace {

DataSettings settings_of(const OptionMap& options) { return from_map<DataSettings>(options, "data"); }

py::dict hashes_of(const DataHashes& hashes) {
  py::dict all;
  for (const auto& [name, hash] : hashes) all[py::str(name)] = hash;
  return all;
}

py::dict signals(const OptionMap& options, int count) {
  OpenedData<SignalDataset> opened;
  {
    const py::gil_scoped_release release;
    opened = open_signals(settings_of(options), count);
  }
  py::dict all;
  all["name"] = opened.data.name;
  all["complex"] = opened.data.complex;
  all["order"] = opened.data.order;
  all["signals"] = opened.data.signals;
  all["labels"] = opened.data.labels;
  all["classes"] = opened.data.classes;
  all["class_names"] = opened.data.class_names;
  all["item_names"] = opened.data.item_names;
  all["hashes"] = hashes_of(opened.hashes);
  return all;
}

py::dict values_of(const OpenedData<ValueDataset>& opened) {
  py::dict all;
  all["name"] = opened.data.name;
  all["complex"] = opened.data.complex;
  all["values"] = opened.data.values;
  all["features"] = opened.data.features;
  all["class_names"] = opened.data.class_names;
  all["vertex_names"] = opened.data.vertex_names;
  all["hashes"] = hashes_of(opened.hashes);
  return all;
}

py::dict values(const OptionMap& options, bool by_position, int order) {
  OpenedData<ValueDataset> opened;
  {
    const py::gil_scoped_release release;
    opened = open_values(settings_of(options), by_position, order);
  }
  return values_of(opened);
}

py::dict classes(const OptionMap& options) { return values_of(open_classes(settings_of(options))); }

py::dict complexes(const OptionMap& options) {
  OpenedData<ComplexDataset> opened;
  {
    const py::gil_scoped_release release;
    opened = open_complexes(settings_of(options));
  }
  py::dict all;
  all["name"] = opened.data.name;
  all["complexes"] = opened.data.complexes;
  all["features"] = opened.data.features;
  all["widths"] = opened.data.widths;
  all["labels"] = opened.data.labels;
  all["classes"] = opened.data.classes;
  all["class_names"] = opened.data.class_names;
  all["item_names"] = opened.data.item_names;
  all["hashes"] = hashes_of(opened.hashes);
  return all;
}

// The triangulated plane of the synthetic flow and the places of its vertices.
py::tuple plane(int points, std::uint64_t seed) {
  const FlowPlane made = flow_plane(points, seed);
  const Tensor places = torch::empty({static_cast<std::int64_t>(made.points.size()), 2}, torch::kFloat64);
  double* value = places.mutable_data_ptr<double>();
  for (const auto& [x, y] : made.points) {
    *value++ = x;
    *value++ = y;
  }
  return py::make_tuple(made.complex, places);
}

}  // namespace

void bind_data(py::module_& module) {
  module.def("open_signals", signals, py::arg("options"), py::arg("count"));
  module.def("open_values", values, py::arg("options"), py::arg("by_position"), py::arg("order"));
  module.def("open_classes", classes, py::arg("options"));
  module.def("open_complexes", complexes, py::arg("options"));
  module.def("flow_plane", plane, py::arg("points"), py::arg("seed"));
}

}  // namespace gsan::python
