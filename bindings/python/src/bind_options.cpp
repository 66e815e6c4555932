// Presets and options as dictionaries of text: core/options.h says how each kind of value is written.

#include <algorithm>
#include <limits>

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

// `widths` count all heads together. Those of a last layer that averages its heads count one of them: as many
// times that, divided by the heads like the others, is what such a layer has.
void widen_last(ModelSettings& settings) {
  if (settings.widths.empty() && settings.n_layers > 0)
    settings.widths.assign(static_cast<std::size_t>(settings.n_layers), settings.hidden_channels);
  if (settings.widths.empty() || settings.layer.head_mode != HeadMode::concat) return;
  const std::int64_t all = std::int64_t{settings.widths.back()} * settings.layer.heads;
  settings.widths.back() = static_cast<int>(std::min<std::int64_t>(all, std::numeric_limits<int>::max()));
}

// The options of a model with this input, before the readout's own. Without a readout the last layer is the
// output: linear, with the mean over its heads, unless `backbone` says otherwise.
OptionMap preset_model(const std::string& name, const std::vector<int>& in_channels, int hidden_channels,
                       int n_layers, const std::vector<int>& widths, int length, int signal_order,
                       const std::string& readout, const OptionMap& backbone) {
  ModelSettings settings =
      standard_model(name, length, signal_order, parse_enum<ReadoutKind>(readout, "readout"));
  const bool has_layers = settings.backbone == BackboneKind::layers;
  const bool is_output = settings.readout == ReadoutKind::none;
  settings.hidden_channels = hidden_channels;
  settings.n_layers = n_layers;
  settings.widths = widths;
  settings.activate_last = !is_output;
  bool mean_last_heads = is_output;
  GSAN_CHECK(has_layers || std::count(widths.begin(), widths.end(), hidden_channels) ==
                               static_cast<std::ptrdiff_t>(widths.size()),
             name, ": every layer of this model has hidden_channels = ", hidden_channels,
             " features, got the widths ", options::to_text(widths),
             "; out_channels differs from that with a readout only");
  OptionMap of_layer = backbone;
  const auto take = [&](const char* key, auto& field) {
    const auto found = of_layer.find(key);
    if (found == of_layer.end()) return;
    options::from_text(found->second, field);
    of_layer.erase(found);
  };
  if (has_layers) {
    take("activate_last", settings.activate_last);
    take("mean_last_heads", mean_last_heads);
    take("embedding_channels", settings.embedding_channels);
  }
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
  if (has_layers && mean_last_heads) widen_last(settings);
  std::vector<std::string> faults = settings.faults();
  options::report(name, faults);
  ModelOptions options = settings.options();
  options.network.mean_last_heads = has_layers && mean_last_heads;
  set_inputs(options, name, in_channels);
  options.pooled.orders = read_orders(options);
  return to_map(options);
}

// `start` with the options of its readout. An order that is not said is the model's only one; an error of `who`
// where the model has no signals of an order that is read.
OptionMap with_readout(const std::string& who, const OptionMap& start, const OptionMap& more) {
  auto options = from_map(more, "readout", from_map<ModelOptions>(start, "model"));
  const std::vector<int> orders = read_orders(options);
  const auto settle = [&](const char* key, int& order) {
    if (!more.contains(key) && orders.size() == 1) order = orders.front();
    require_read(options, who, order);
  };
  switch (options.readout) {
    case ReadoutKind::none:
      break;
    case ReadoutKind::pooled:
      for (const int k : options.pooled.orders) require_read(options, who, k);
      break;
    case ReadoutKind::simplex:
    case ReadoutKind::tuple:
      settle("head.order", options.head.order);
      break;
    case ReadoutKind::flattened:
      settle("flattened.order", options.flattened.order);
      break;
  }
  return to_map(options);
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
  module.def("with_readout", with_readout, py::arg("who"), py::arg("start"), py::arg("more"));
  module.def("layer_cost", layer_cost, py::arg("options"), py::arg("complex"), py::arg("signals"));
}

}  // namespace gsan::python
