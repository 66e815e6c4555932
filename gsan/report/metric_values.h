#pragma once
// Numbers of runs, by name and for people; how those of many runs spread: statistics.h.

#include <string>

#include "gsan/tasks/shared/metrics.h"

namespace gsan::report {

/// The metric of that name; NaN where it is not there.
double metric_value(const Metrics& metrics, const std::string& name);

/// Four significant digits.
std::string show_metric(double value);

}  // namespace gsan::report
