#pragma once
// Named numbers beside each other: metrics beside rules, settings of a sweep.

#include <span>
#include <string>

#include "gsan/plot/chart_options.h"

namespace gsan {

struct Bar {
  std::string name{};
  double value = 0;
  double error = 0;  ///< half the length of the error bar; 0: none
  int series = 0;    ///< which colour: bars of one kind have one
};

/// Horizontal bars from 0, top to bottom, one <rect class="bar" data-name data-value data-error> each with a
/// <title> and its number; height follows from the number of bars. A value that is not finite is written as
/// "no value". log_x and log_y are not used. Errors: no bars, more than 500.
std::string bar_chart(std::span<const Bar> bars, const ChartOptions& options);

}  // namespace gsan
