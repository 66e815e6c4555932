#include "apps/gsan/runner/metric_values.h"

#include <limits>

namespace gsan::app {

double metric_value(const Metrics& metrics, const std::string& name) {
  for (const auto& [known, value] : metrics)
    if (known == name) return value;
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace gsan::app
