#pragma once
// Which models a command tells about, and with which widths and settings.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "gsan/models/registry.h"

namespace gsan::app {

/// One model with the asked widths: a setting of the simplicial layer, a backbone beside it, or the reason
/// why it cannot be made.
struct ModelEntry {
  std::string name, equation, citation;
  OptionMap options{};
  std::optional<SimplicialLayerOptions> layer{};  ///< none for a backbone beside it
  std::optional<std::int64_t> parameters{};       ///< of such a backbone, where they were counted
  std::string fault{};                            ///< not empty: these widths and settings do not suit it

  bool is_beside_the_layer() const { return fault.empty() && !layer; }
};

/// --in, --out, --heads, --length, --signal-order and --set.
struct ModelChoice {
  PresetArguments arguments{.in_channels = 32, .out_channels = 32};
  std::vector<std::string> settings;  ///< NAME=VALUE

  void add_to(CLI::App& command);

  /// The model of this name for complexes of this order; an error when there is none or it does not suit.
  ModelEntry find(const std::string& name, int order) const;
  /// Every preset, those that do not suit with their fault; an error when none does. Without settings (they
  /// are options of the layer) the backbones beside it follow.
  std::vector<ModelEntry> all(int order) const;

 private:
  OptionMap setting_map() const;
  ModelEntry make(const Preset& preset, int order) const;
};

}  // namespace gsan::app
