#pragma once
// A table of numbers as coloured cells: confusion matrices, weights between names.

#include <span>
#include <string>

#include "gsan/plot/chart_options.h"

namespace gsan {

/// `values` [rows, columns] row by row; one <rect class="cell" data-row data-column data-value> each with a
/// <title>, its number in it where there is room. The y label names the rows, the x label the columns; the
/// height of the options is not used, cells are squares unless there are too many. Colours go from the
/// smallest to the largest value (from 0 where none is negative); NaN is an empty cell. Errors: no rows or
/// columns, more than 200 of either, another number of values.
std::string matrix_chart(std::span<const std::string> rows, std::span<const std::string> columns,
                         std::span<const double> values, const ChartOptions& options);

}  // namespace gsan
