// Datasets, opened by the loaders of the command.

#include "gsan/core/options.h"
#include "gsan/data/open_data.h"
#include "gsan/data/points.h"
#include "gsan/data/sources/flow.h"

#include "bindings/python/src/dict.h"

namespace gsan::python {
namespace {

// Opens without the GIL; a dictionary of the listed fields and the hashes of the files.
template <class Open, class... Fields>
py::dict opened_by(const Open& open, const Fields&... fields) {
  const auto opened = [&] {
    const WithoutGil release;
    return open();
  }();
  py::dict all = dict_of(opened.data, fields...);
  py::dict hashes;
  for (const auto& [name, hash] : opened.hashes) hashes[py::str(name)] = hash;
  all["hashes"] = hashes;
  return all;
}

py::dict signals(const OptionMap& options, int count) {
  using Data = SignalDataset;
  return opened_by([&] { return open_signals(data_from_map(options), count); },  //
                   std::pair{"name", &Data::name}, std::pair{"complex", &Data::complex},
                   std::pair{"order", &Data::order}, std::pair{"signals", &Data::signals},
                   std::pair{"labels", &Data::labels}, std::pair{"classes", &Data::classes},
                   std::pair{"class_names", &Data::class_names}, std::pair{"item_names", &Data::item_names},
                   std::pair{"points", &Data::points});
}

template <class Open>
py::dict values_by(const Open& open) {
  using Data = ValueDataset;
  return opened_by(open, std::pair{"name", &Data::name}, std::pair{"complex", &Data::complex},
                   std::pair{"values", &Data::values}, std::pair{"features", &Data::features},
                   std::pair{"class_names", &Data::class_names},
                   std::pair{"vertex_names", &Data::vertex_names});
}

py::dict values(const OptionMap& options, bool by_position, int order) {
  return values_by([&] { return open_values(data_from_map(options), by_position, order); });
}

py::dict classes(const OptionMap& options) {
  return values_by([&] { return open_classes(data_from_map(options)); });
}

py::dict complexes(const OptionMap& options) {
  using Data = ComplexDataset;
  return opened_by([&] { return open_complexes(data_from_map(options)); },  //
                   std::pair{"name", &Data::name}, std::pair{"complexes", &Data::complexes},
                   std::pair{"features", &Data::features}, std::pair{"widths", &Data::widths},
                   std::pair{"labels", &Data::labels}, std::pair{"classes", &Data::classes},
                   std::pair{"class_names", &Data::class_names}, std::pair{"item_names", &Data::item_names});
}

// The triangulated plane of the synthetic flow and the places of its vertices.
py::tuple plane(int points, std::uint64_t seed) {
  const FlowPlane made = flow_plane(points, seed);
  return py::make_tuple(made.complex, points_tensor(made.points));
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
