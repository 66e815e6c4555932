// Presets and options as dictionaries of text: core/options.h says how each kind of value is written.

#include "gsan/models/model_settings.h"
#include "gsan/models/other_models.h"
#include "gsan/models/registry.h"
#include "gsan/nn/layer_cost.h"
#include "gsan/tasks/model_inputs.h"

#include "bindings/python/src/bind.h"

namespace gsan::python {
namespace {

py::list models() {
  py::list all;
  const auto add = [&](std::string_view name, std::string_view equation, std::string_view citation) {
    all.append(py::make_tuple(std::string(name), std::string(equation), std::string(citation)));
  };
  for (const Preset& preset : all_presets()) add(preset.name, preset.equation, preset.citation);
  for (const OtherModel& model : other_models()) add(model.name, model.equation, model.citation);
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

// The options of a model with this input, before the readout's own.
OptionMap preset_model(const std::string& name, const std::vector<int>& in_channels, int hidden_channels,
                       int n_layers, const std::vector<int>& widths, int length, int signal_order,
                       const std::string& readout, const OptionMap& backbone) {
  ModelSettings settings =
      standard_model(name, length, signal_order, parse_enum<ReadoutKind>(readout, "readout"));
  settings.hidden_channels = hidden_channels;
  settings.n_layers = n_layers;
  settings.widths = widths;
  OptionMap of_layer = backbone;
  const auto take = [&](const char* key, auto& field) {
    const auto found = of_layer.find(key);
    if (found == of_layer.end()) return;
    options::from_text(found->second, field);
    of_layer.erase(found);
  };
  take("activate_last", settings.activate_last);
  take("embedding_channels", settings.embedding_channels);
  switch (settings.backbone) {
    case BackboneKind::layers:
      settings.layer.order = static_cast<int>(in_channels.size()) - 1;
      settings.layer = from_map(of_layer, name, settings.layer);
      break;
    case BackboneKind::mpsn:
      settings.mpsn = from_map(of_layer, name, settings.mpsn);
      break;
    case BackboneKind::mlp:
      settings.mlp = from_map(of_layer, name, settings.mlp);
      break;
  }
  std::vector<std::string> faults = settings.faults();
  options::report(name, faults);
  ModelOptions options = settings.options();
  set_inputs(options, name, in_channels);
  options.pooled.orders = read_orders(options);
  return to_map(options);
}

OptionMap with_options(const OptionMap& start, const OptionMap& more) {
  return to_map(from_map(more, "readout", from_map<ModelOptions>(start, "model")));
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
  return all;
}

}  // namespace

void bind_options(py::module_& module) {
  module.def("models", models);
  module.def("layer_options", [] { return option_table(SimplicialLayerOptions{}); });
  module.def("model_options", [] { return option_table(ModelOptions{}); });
  module.def("preset_layer", preset_layer, py::arg("name"), py::arg("in_channels"), py::arg("out_channels"),
             py::arg("order"), py::arg("signal_order"), py::arg("length"), py::arg("heads"));
  module.def("preset_model", preset_model, py::arg("name"), py::arg("in_channels"),
             py::arg("hidden_channels"), py::arg("n_layers"), py::arg("widths"), py::arg("length"),
             py::arg("signal_order"), py::arg("readout"), py::arg("backbone"));
  module.def("with_options", with_options, py::arg("start"), py::arg("more"));
  module.def("layer_cost", layer_cost, py::arg("options"), py::arg("complex"), py::arg("signals"));
}

}  // namespace gsan::python
