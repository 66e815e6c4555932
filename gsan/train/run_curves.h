#pragma once
// The course of a run: every metric of its folder over the epochs.

#include <filesystem>
#include <string>
#include <vector>

namespace gsan {

struct RunCurve {
  std::string metric;          ///< "train.loss", "validation.accuracy"
  std::vector<double> epochs;  ///< from 1, as people count them
  std::vector<double> values;  ///< NaN where the number was not finite
};

/// In the order of the log; epochs that lack a metric are left out of its curve. A running run has the epochs
/// so far. An error when the folder holds no run, or the run no epoch yet.
std::vector<RunCurve> read_run_curves(const std::filesystem::path& run);

}  // namespace gsan
