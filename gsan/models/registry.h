#pragma once
// The rows of presets.def, by name.

#include <span>
#include <string_view>

#include "gsan/models/presets.h"

namespace gsan {

struct Preset {
  std::string_view name;          ///< "gsan-joint"
  std::string_view python_class;  ///< of gsan.nn, "GSANJoint"
  std::string_view equation;      ///< one line
  std::string_view citation;      ///< authors: title. Venue, year.
  SimplicialLayerOptions (*make)(const PresetArguments&);
};

/// All of them: graphs first, then by year, ablations last.
std::span<const Preset> all_presets();

/// An error names the nearest one for an unknown name; '_' and '-' count as the same.
const Preset& find_preset(std::string_view name);

}  // namespace gsan
