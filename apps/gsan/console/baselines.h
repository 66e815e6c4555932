#pragma once
// The models beside the simplicial layer, as the command tells about them.

#include <span>
#include <string_view>

#include "apps/gsan/console/model_options.h"

namespace gsan::app {

struct Baseline {
  std::string_view name;
  /// One layer of the asked widths; the settings are options of the model itself.
  ModelEntry (*make)(const PresetArguments& arguments, const OptionMap& settings);
};

std::span<const Baseline> all_baselines();
const Baseline* find_baseline(std::string_view name);  ///< nullptr when there is none

}  // namespace gsan::app
