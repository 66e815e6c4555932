#include "gsan/models/model_settings.h"

#include <algorithm>

#include "gsan/core/config_options.h"
#include "gsan/models/other_models.h"
#include "gsan/models/registry.h"

namespace gsan {
namespace {

const std::string section = "model.";
const std::string readout_section = "model.readout.";

// What the task or hidden_channels and n_layers determine.
const SkippedOptions of_layer = {"in_channels", "out_channels", "order"};
const SkippedOptions of_other = {"in_channels", "hidden_channels", "n_layers"};
const SkippedOptions of_pooled = {"widths", "orders", "out_channels"};
const SkippedOptions of_head = {"order", "widths", "out_channels"};

// Calls visit(prefix, options, skipped) for each part of the settings that has keys.
template <class Settings, class Visitor>
void visit_parts(Settings& settings, Visitor&& visit) {
  switch (settings.backbone) {
    case BackboneKind::layers:
      visit(section, settings.layer, of_layer);
      break;
    case BackboneKind::mpsn:
      visit(section, settings.mpsn, of_other);
      break;
    case BackboneKind::mlp:
      visit(section, settings.mlp, of_other);
      break;
  }
  switch (settings.readout) {
    case ReadoutKind::none:
    case ReadoutKind::flattened:
      break;
    case ReadoutKind::pooled:
      visit(readout_section, settings.pooled, of_pooled);
      break;
    case ReadoutKind::simplex:
    case ReadoutKind::tuple:
      visit(readout_section, settings.head, of_head);
      break;
  }
}

int heads_side_by_side(const SimplicialLayerOptions& layer) {
  return layer.head_mode == HeadMode::concat ? layer.heads : 1;
}

std::vector<int> all_widths(const ModelSettings& settings) {
  if (!settings.widths.empty()) return settings.widths;
  return std::vector<int>(static_cast<std::size_t>(std::max(settings.n_layers, 0)), settings.hidden_channels);
}

}  // namespace

std::vector<std::string> ModelSettings::faults() const {
  std::vector<std::string> faults;
  const auto require = [&](bool holds, const auto&... parts) {
    if (!holds) faults.push_back(concat(parts...));
  };
  require(hidden_channels >= 1 && hidden_channels <= 65536, "hidden_channels must lie in 1 ... 65536, got ",
          hidden_channels);
  require(n_layers >= 1 && n_layers <= 1024, "n_layers must lie in 1 ... 1024, got ", n_layers);
  if (backbone == BackboneKind::layers) {
    require(embedding_channels >= 0 && embedding_channels <= 65536,
            "embedding_channels must lie in 0 ... 65536, got ", embedding_channels);
    SimplicialLayerOptions anywhere = layer;  // as if the complex had every order
    anywhere.in_channels = anywhere.out_channels = 1;
    anywhere.order = largest_order;
    if (!layer.harmonic_epsilon.empty()) anywhere.harmonic_epsilon.resize(largest_order + 1, 1);
    add_faults(faults, "", anywhere);
    const int heads = heads_side_by_side(layer);
    for (const int width : widths)
      require(width >= 1 && width <= 65536, "widths must lie in 1 ... 65536, got ", options::to_text(widths));
    for (const int width : widths.empty() ? std::vector<int>{hidden_channels} : widths)
      require(heads < 1 || width % heads == 0, widths.empty() ? "hidden_channels" : "widths",
              " counts all heads together and must be a multiple of heads = ", heads, ", got ", width);
  } else if (backbone == BackboneKind::mpsn) {
    add_faults(faults, "", mpsn);
  }
  if (readout == ReadoutKind::pooled) add_faults(faults, "readout.", pooled);
  if (readout == ReadoutKind::simplex || readout == ReadoutKind::tuple) add_faults(faults, "readout.", head);
  return faults;
}

ModelOptions ModelSettings::options() const {
  ModelOptions options;
  options.backbone = backbone;
  options.network.embedding_channels = embedding_channels;
  options.network.activate_last = activate_last;
  options.network.layer = layer;
  options.network.widths = all_widths(*this);
  for (int& width : options.network.widths) width /= heads_side_by_side(layer);
  options.mpsn = mpsn;
  options.mpsn.hidden_channels = options.mlp.hidden_channels = hidden_channels;
  options.mpsn.n_layers = options.mlp.n_layers = n_layers;
  options.mlp.activation = mlp.activation;
  options.mlp.batch_norm = mlp.batch_norm;
  options.readout = readout;
  options.pooled = pooled;
  options.head = head;
  return options;
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const Preset& preset : all_presets()) names.emplace_back(preset.name);
  for (const OtherModel& model : other_models()) names.emplace_back(model.name);
  return names;
}

ModelSettings standard_model(const std::string& name, int length, int signal_order, ReadoutKind readout) {
  ModelSettings settings;
  settings.readout = readout;
  if (const OtherModel* other = find_other_model(name)) {
    settings.name = other->name;
    settings.backbone = other->name == "mlp" ? BackboneKind::mlp : BackboneKind::mpsn;
    if (other->name == "gin") settings.mpsn = gin(1, settings.hidden_channels, settings.n_layers);
    return settings;
  }
  const Preset& preset = find_preset(name);
  settings.name = preset.name;
  settings.length = length;
  PresetArguments arguments{.order = largest_order, .length = length};
  settings.layer = preset.make(arguments);
  if (!settings.layer.orders.empty() && signal_order >= 0) {  // a model of one order
    arguments.signal_order = signal_order;
    settings.layer = preset.make(arguments);
  }
  return settings;
}

void add_model_keys(ConfigSchema& schema, const ModelSettings& defaults) {
  const auto add = [&](const char* name, ConfigValue value, const char* help, ConfigRule rule = {}) {
    schema.add(section + name, std::move(value), help, std::move(rule));
  };
  add("name", defaults.name, "which model; `gsan models` lists them with their equations",
      one_of(model_names()));
  add("hidden_channels", defaults.hidden_channels, "features of every layer, all heads together",
      int_range());
  add("n_layers", defaults.n_layers, "number of layers", int_range());
  if (defaults.backbone == BackboneKind::layers) {
    add("length", defaults.length,
        "length of the filter: J of the Dirac models, else the highest power; 0: that of the publication",
        between(0, 64));
    add("widths", options::to_config(defaults.widths),
        "features of each layer, all heads together; empty: hidden_channels, n_layers times", int_range());
    add("embedding_channels", defaults.embedding_channels,
        "width of a linear map of the inputs of each order; 0: none", int_range());
    add("activate_last", defaults.activate_last, "activation also after the last layer");
  }
  visit_parts(defaults, [&](const std::string& prefix, const auto& part, const SkippedOptions& skipped) {
    add_options(schema, prefix, part, skipped);
  });
}

ModelSettings take_model(const Config& config, ModelSettings start) {
  const auto take = [&](const char* name, auto& field) {
    options::from_config(config.value(section + name), field);
  };
  take("hidden_channels", start.hidden_channels);
  take("n_layers", start.n_layers);
  if (start.backbone == BackboneKind::layers) {
    take("length", start.length);
    take("widths", start.widths);
    take("embedding_channels", start.embedding_channels);
    take("activate_last", start.activate_last);
  }
  visit_parts(start, [&](const std::string& prefix, auto& part, const SkippedOptions& skipped) {
    part = take_options(config, prefix, part, skipped);
  });
  return start;
}

}  // namespace gsan
