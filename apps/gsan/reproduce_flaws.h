#pragma once
// What the flaws of the published protocols do, measured without any training: rules on the same data with
// and without each flaw. Seconds; kept in flaws.json of the folder of results.

#include <filesystem>
#include <string>

#include "apps/gsan/console/options.h"

namespace gsan::app {

/// {"commit", "version", "machine", "date", "imputation": …, "simplex-prediction": …, "trajectory": …}
/// (reproduce_flaw_measures.h). `splits`: masks or splits of each number.
Json measure_flaws(int splits);

std::string flaws_text(const Json& flaws);

/// What was measured and kept; an error where nothing was.
Json read_flaws(const std::filesystem::path& file);

/// The measurements of a table from flaws.json; says so where there are none.
std::string flaws_markdown(const std::filesystem::path& results, const std::string& table);

std::filesystem::path flaws_file(const std::filesystem::path& results);

}  // namespace gsan::app
