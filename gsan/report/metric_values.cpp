#include "gsan/report/metric_values.h"

#include <cstdio>
#include <limits>

namespace gsan::report {

double metric_value(const Metrics& metrics, const std::string& name) {
  for (const auto& [known, value] : metrics)
    if (known == name) return value;
  return std::numeric_limits<double>::quiet_NaN();
}

std::string show_metric(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

}  // namespace gsan::report
