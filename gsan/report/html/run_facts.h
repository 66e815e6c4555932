#pragma once
// What the files of a run folder say, as far as they are there. Only reads.

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gsan/train/manifest.h"
#include "gsan/train/run_curves.h"
#include "gsan/train/run_record.h"
#include "gsan/train/run_settings.h"

namespace gsan::report::html {

struct RunFacts {
  std::filesystem::path path{};  ///< ends with the name of the folder, whatever slash or dots were given
  std::string name{};            ///< of the folder; the path where another run of the page has that name
  Manifest manifest{};
  std::optional<RunSettings> settings{};  ///< nothing: config.yaml cannot be read
  std::optional<RunRecord> record{};      ///< nothing: not finished, or results.json cannot be read
  std::vector<RunCurve> curves{};         ///< empty: no epoch is done
  std::vector<std::string> missing{};     ///< what the page lacks and why, a sentence each

  std::size_t epochs() const;  ///< in the curves
};

/// A folder without a readable manifest is an error that names it; every other file that is missing or
/// damaged is a sentence of `missing`.
RunFacts read_run_facts(const std::filesystem::path& given);

/// The settings as keys and values, sorted: "model.heads" → "4".
std::vector<std::pair<std::string, std::string>> settings_of(const RunSettings& settings);

/// The command line that trains the same model again, into a folder beside the run: the recipe with every key
/// that differs from it. Where the recipe and these words do not give exactly the settings of the run, its
/// config.yaml is named instead.
std::string repeat_command(const RunFacts& facts);

}  // namespace gsan::report::html
