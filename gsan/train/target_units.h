#pragma once
// The units of the answers of a run whose targets are numbers: targets.json of its folder.

#include <filesystem>
#include <optional>

#include "gsan/tasks/shared/target_scale.h"

namespace gsan {

/// {"shift": 3.5, "scale": 0.25}; nothing is written for a task without such units.
void write_target_units(const std::filesystem::path& run, const std::optional<TargetScale>& units);

/// Nothing where the run has none. Fault::format when the file does not hold both numbers.
std::optional<TargetScale> read_target_units(const std::filesystem::path& run);

}  // namespace gsan
