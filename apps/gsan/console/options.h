#pragma once
// Options that several commands share: each command takes those it obeys.

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <torch/types.h>

#include "gsan/topology/limits.h"

namespace gsan::app {

using Json = nlohmann::ordered_json;

/// Where the computation runs.
struct MachineOptions {
  std::string device = "cpu";
  int threads = 0;  ///< 0: what OMP_NUM_THREADS or the machine says

  void add_to(CLI::App& command);
  /// Sets the number of threads, and that numbers below the normal ones count as 0; the device (device.h), or
  /// an error where it cannot be used.
  torch::Device apply() const;
};

/// How the result is told.
struct ReportOptions {
  bool json = false;
  std::string file;  ///< empty: standard output

  void add_to(CLI::App& command, bool to_file);  ///< to_file: --output names the report's file
  /// The report, or its text with a line for every path in report["files"].
  void write(const Json& report, std::string text) const;
};

/// --weights of commands on a run: train/loaded_run.h, RunWeights.
void add_weights_option(CLI::App& command, std::string& weights);

void add_seed(CLI::App& command, std::uint64_t& seed);

/// --max-simplices and --max-memory.
void add_limits(CLI::App& command, Limits& limits);

}  // namespace gsan::app
