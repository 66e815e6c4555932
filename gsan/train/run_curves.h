#pragma once
// The course of a run: every metric of its folder over the epochs.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace gsan {

struct RunCurve {
  std::string metric;          ///< "train.loss", "validation.accuracy"
  std::vector<double> epochs;  ///< from 1, as people count them
  std::vector<double> values;  ///< NaN where the number was not finite
};

/// In the order of the log; epochs that lack a metric are left out of its curve. A running run has the epochs
/// so far. An error when it is not the folder of a run, or the run has no epoch yet.
std::vector<RunCurve> read_run_curves(const std::filesystem::path& run);

/// "validation.loss" → {"validation", "loss"}; "learning_rate" → {"", "learning_rate"}.
std::pair<std::string, std::string> part_and_metric(const std::string& name);

}  // namespace gsan
