#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gsan {

/// Name and value, in the order in which they are shown.
using Metrics = std::vector<std::pair<std::string, double>>;

/// Whether less is better of the metric of that name; of all others more is.
inline bool is_error_metric(std::string_view name) {
  return name == "loss" || name == "mae" || name == "rmse";
}

}  // namespace gsan
