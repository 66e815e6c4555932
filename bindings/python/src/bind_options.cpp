// Presets and options as dictionaries of text: core/options.h says how each kind of value is written.

#include <algorithm>

#include "gsan/models/model_kinds.h"
#include "gsan/models/readout_kinds.h"
#include "gsan/models/registry.h"
#include "gsan/nn/layer_cost.h"

#include "bindings/python/src/bind.h"

namespace gsan::python {
namespace {

// Name, Python class, equation and citation of every model.
py::list models() {
  py::list all;
  for (const ModelKind& model : model_kinds())
    all.append(py::make_tuple(model.name, std::string(model.python_class), std::string(model.equation),
                              std::string(model.citation)));
  return all;
}

// Name, default and one line of help for every option.
template <class Options>
py::list option_table(const Options& defaults) {
  py::list all;
  options::visit_leaves(defaults, "", [&](const std::string& name, const auto& field, const char* help) {
    all.append(py::make_tuple(name, options::to_text(field), std::string(help)));
  });
  return all;
}

OptionMap preset_layer(const std::string& name, int in_channels, int out_channels, int order,
                       int signal_order, int length, int heads) {
  return to_map(find_preset(name).make({in_channels, out_channels, order, signal_order, length, heads}));
}

// What a model and a shape are made of, as one map: to_map(ModelSpec, ModelShape). An order that is not said
// is the model's only one, else 1.
OptionMap describe_model(const std::string& name, const std::string& readout, int length, int signal_order,
                         const OptionMap& backbone, const OptionMap& readout_options,
                         const OptionMap& shape) {
  ModelSpec spec = model_spec(name, readout, {.length = length, .signal_order = signal_order});
  OptionMap of_backbone = backbone;
  if (const auto found = of_backbone.extract("standardize"))
    spec.standardize = parse_enum<Standardize>(found.mapped(), concat(name, ": standardize"));
  spec.backbone.set(of_backbone, name);
  spec.readout_options.set(readout_options, "readout_options");
  options::report(name, spec.faults());
  auto made = from_map<ModelShape>(shape, name);
  const int K = static_cast<int>(made.in_channels.size()) - 1;
  const auto orders = find_model(name).backbone->orders(spec.backbone, K);
  const bool reads_one_order = readout != "none" && readout != "pooled";
  if (reads_one_order && !shape.contains("order") && orders.size() > 1) made.order = 1;
  return to_map(spec, made);
}

py::dict layer_cost(const OptionMap& map, const SimplicialComplex& complex, std::int64_t signals) {
  const auto layer = from_map<SimplicialLayerOptions>(map, "SimplicialLayer");
  layer.validate();
  ComplexSize size(complex, layer.order);
  size.signals = signals;
  const LayerCost cost = forward_cost(layer, size);
  py::dict all;
  all["parameters"] = count_parameters(layer).total();
  all["flops"] = cost.flops();
  all["structure_bytes"] = cost.structure;
  all["activation_bytes"] = cost.activations;
  all["workspace_bytes"] = cost.workspace;
  return all;
}

}  // namespace

void bind_options(py::module_& module) {
  module.def("models", models);
  module.def("layer_options", [] { return option_table(SimplicialLayerOptions{}); });
  module.def("preset_layer", preset_layer, py::arg("name"), py::arg("in_channels"), py::arg("out_channels"),
             py::arg("order"), py::arg("signal_order"), py::arg("length"), py::arg("heads"));
  module.def("describe_model", describe_model, py::arg("name"), py::arg("readout"), py::arg("length"),
             py::arg("signal_order"), py::arg("backbone"), py::arg("readout_options"), py::arg("shape"));
  module.def("readouts", readout_names);
  module.def(
      "has_layers", [](const std::string& name) { return find_model(name).backbone->can_answer_itself; },
      py::arg("name"));
  module.def("layer_cost", layer_cost, py::arg("options"), py::arg("complex"), py::arg("signals"));
}

}  // namespace gsan::python
