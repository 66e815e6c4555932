#include "apps/gsan/console/model_options.h"

#include <algorithm>

#include "gsan/models/model.h"
#include "gsan/models/model_kinds.h"

namespace gsan::app {
namespace {

constexpr int widest = 1 << 16, most_heads = 1 << 12;  // so that no product of widths passes int64

void check_widths(const SimplicialLayerOptions& options) {
  for (const auto& [name, width] : {std::pair{"in_channels", options.in_channels},
                                    {"out_channels", options.out_channels},
                                    {"attention_channels", options.attention_channels},
                                    {"metric_channels", options.metric_channels}}) {
    GSAN_CHECK(width <= widest, name, " must be at most ", widest, ", got ", width);
  }
  GSAN_CHECK(options.heads <= most_heads, "heads must be at most ", most_heads, ", got ", options.heads);
}

// Parameters are counted on the model itself, which is made for that: up to this product of widths and
// layers.
constexpr std::int64_t largest_model = 1 << 20;

bool is_preset(const ModelKind& kind) {
  const auto presets = all_presets();
  return std::any_of(presets.begin(), presets.end(),
                     [&](const Preset& preset) { return preset.name == kind.name; });
}

// One layer of the asked widths of a backbone beside the simplicial layer; the settings are its own options.
ModelEntry beside_the_layer(const ModelKind& kind, const PresetArguments& arguments,
                            const OptionMap& settings) {
  ModelSpec spec = model_spec(kind.name, "none");
  const OptionMap widths{{"hidden_channels", std::to_string(arguments.out_channels)}, {"n_layers", "1"}};
  spec.backbone.set(widths, kind.name);
  spec.backbone.set(settings, concat("--set for ", kind.name));
  ModelShape shape;
  shape.in_channels.assign(static_cast<std::size_t>(arguments.order) + 1, arguments.in_channels);
  ModelEntry entry{.name = kind.name,
                   .equation = std::string(kind.equation),
                   .citation = std::string(kind.citation),
                   .options = spec.backbone.map()};
  if (static_cast<std::int64_t>(std::max(arguments.in_channels, arguments.out_channels)) *
          arguments.out_channels <=
      largest_model)
    entry.parameters = Model(spec, shape, RandomStream(0, "models"))->parameter_count();
  return entry;
}

}  // namespace

void ModelChoice::add_to(CLI::App& command) {
  const auto add_number = [&](const char* name, int& value, int least, int most, const char* text) {
    command.add_option(name, value, text)->check(CLI::Range(least, most))->capture_default_str();
  };
  add_number("--in", arguments.in_channels, 1, widest, "features of each simplex, F");
  add_number("--out", arguments.out_channels, 1, widest, "features that a head gives, F'");
  add_number("--heads", arguments.heads, 1, most_heads, "heads of the layer");
  add_number("--length", arguments.length, 0, 64,
             "length of the filter: J of the Dirac models, else the highest power (models of one power take "
             "none); 0: that of the publication");
  add_number("--signal-order", arguments.signal_order, -1, 63,
             "order of the simplices for models of one order; -1: that of the publication");
  command
      .add_option("--set", settings, "an option of the layer as NAME=VALUE, repeated; such as mechanism=dot")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

OptionMap ModelChoice::setting_map() const {
  OptionMap map;
  for (const std::string& text : settings) {
    const std::size_t equals = text.find('=');
    GSAN_CHECK(equals != std::string::npos && equals > 0, "--set: expected NAME=VALUE, got '", text, "'");
    const std::string name = text.substr(0, equals);
    GSAN_CHECK(map.emplace(name, text.substr(equals + 1)).second, "--set: ", name, " is given twice");
  }
  return map;
}

ModelEntry ModelChoice::make(const Preset& preset, int order) const {
  PresetArguments wanted = arguments;
  wanted.order = order;
  const auto options = from_map(setting_map(), concat("--set for ", preset.name), preset.make(wanted));
  GSAN_CHECK(options.order == order, "--set order=", options.order, ": ",
             "use --order, or a complex of that order");
  options.validate();
  check_widths(options);
  return {.name = std::string(preset.name),
          .equation = std::string(preset.equation),
          .citation = std::string(preset.citation),
          .options = to_map(options),
          .layer = options};
}

ModelEntry ModelChoice::find(const std::string& name, int order) const {
  PresetArguments wanted = arguments;
  wanted.order = order;
  const OptionMap given = setting_map();
  const ModelKind& kind = find_model(name);
  if (!is_preset(kind)) return beside_the_layer(kind, wanted, given);
  const Preset& preset = find_preset(name);
  try {
    return make(preset, order);
  } catch (const Error& error) {
    fail(error.fault(), preset.name, " for complexes of order ", order, ": ", error.what());
  }
}

std::vector<ModelEntry> ModelChoice::all(int order) const {
  from_map(setting_map(), "--set", SimplicialLayerOptions{});  // names and values, whatever the model
  std::vector<ModelEntry> entries;
  for (const Preset& preset : all_presets()) {
    try {
      entries.push_back(make(preset, order));
    } catch (const Error& error) {
      entries.push_back({.name = std::string(preset.name),
                         .equation = std::string(preset.equation),
                         .citation = std::string(preset.citation),
                         .fault = error.what()});
    }
  }
  const auto suits = [](const ModelEntry& entry) { return entry.fault.empty(); };
  GSAN_CHECK(std::any_of(entries.begin(), entries.end(), suits), "no model suits: ", entries.front().fault);
  PresetArguments wanted = arguments;
  wanted.order = order;
  if (settings.empty())
    for (const ModelKind& kind : model_kinds())
      if (!is_preset(kind)) entries.push_back(beside_the_layer(kind, wanted, {}));
  return entries;
}

}  // namespace gsan::app
