#pragma once
// Numbers of many runs: one of each, and how they spread.

#include <string>
#include <vector>

#include "gsan/tasks/shared/metrics.h"

namespace gsan::app {

/// The metric of that name; NaN where it is not there.
double metric_value(const Metrics& metrics, const std::string& name);

struct Spread {
  double mean = 0;
  double sd = 0;  ///< of a sample; 0 for fewer than two values
};

/// Of at least one value.
Spread spread_of(const std::vector<double>& values);

}  // namespace gsan::app
