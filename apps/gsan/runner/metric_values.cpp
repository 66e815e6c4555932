#include "apps/gsan/runner/metric_values.h"

#include <cmath>
#include <limits>

namespace gsan::app {

double metric_value(const Metrics& metrics, const std::string& name) {
  for (const auto& [known, value] : metrics)
    if (known == name) return value;
  return std::numeric_limits<double>::quiet_NaN();
}

Spread spread_of(const std::vector<double>& values) {
  Spread spread;
  const auto count = static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) spread.mean += value;
  spread.mean /= count;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  if (values.size() > 1) spread.sd = std::sqrt(squares / (count - 1));
  return spread;
}

}  // namespace gsan::app
