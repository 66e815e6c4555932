#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gsan {

/// Name and value, in the order in which they are shown.
using Metrics = std::vector<std::pair<std::string, double>>;

/// A simple answer beside the trained model: fitted on the training set, judged by the same meter
/// (tasks/task.h).
struct RuleResult {
  std::string name;
  Metrics metrics;
};

/// Whether less is better of the metric of that name; of all others more is.
inline bool is_error_metric(std::string_view name) {
  return name == "loss" || name == "mae" || name == "rmse";
}

}  // namespace gsan
