#pragma once
// How often values occur.

#include <span>
#include <string>

#include "gsan/plot/chart_options.h"

namespace gsan {

/// `bins` intervals of equal width (of equal ratio with log_x) from the smallest to the largest value; one
/// <rect class="bin" data-low data-high data-count> each with a <title>. Values that are not finite, or that
/// a logarithmic axis cannot place, are counted in a sentence below the title. Values that are all equal are
/// one bar. Errors: no values, fewer than 1 or more than 1000 bins.
std::string histogram(std::span<const double> values, int bins, const ChartOptions& options);

}  // namespace gsan
