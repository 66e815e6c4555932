#pragma once
// Numbers of many runs; how they spread: report/statistics.h.

#include <string>

#include "gsan/tasks/shared/metrics.h"

namespace gsan::app {

/// The metric of that name; NaN where it is not there.
double metric_value(const Metrics& metrics, const std::string& name);

}  // namespace gsan::app
