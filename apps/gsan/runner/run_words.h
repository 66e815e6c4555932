#pragma once
// How a run is asked for: TASK or CONFIG.yaml, key=value words and the options that stand for keys.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "gsan/train/run_settings.h"

namespace gsan::app {

struct RunWords {
  std::vector<std::string> words;
  std::string config, data, model, protocol;
  std::optional<std::uint64_t> seed;

  void add_to(CLI::App& command);
  bool empty() const;
  bool has_keys_only() const;  ///< nothing but key=value

  /// The config file; empty: none. Two are an error.
  std::string file() const;
  /// What changes it, as key=value: the words from left to right, then the options; then data.path and
  /// split.file once more as absolute paths, so that the run finds them from any folder.
  std::vector<std::string> overrides() const;

  /// Of the file, changed by the words from left to right, then by the options. One error with every fault.
  RunSettings settings() const;
};

/// "trajectory-islands-gsan"
std::string standard_name(const RunSettings& settings);

/// "runs/trajectory-islands-gsan-seed0"
std::filesystem::path standard_folder(const RunSettings& settings);

}  // namespace gsan::app
