#pragma once
// How many of the paper's printed cells are measured, and which of them differ.

#include <string>
#include <vector>

#include "gsan/report/tables.h"

namespace gsan::report {

/// Distance in points beyond which a cell is listed by name.
inline constexpr double far_points = 2;

/// A line a table and one for all: printed cells of models and rules that this code has, measured ones, and
/// these by their verdict. The header first.
std::vector<std::vector<std::string>> shown_agreement(const std::vector<MeasuredTable>& tables);

/// Measured cells more than far_points from the printed number, misprints left out, the farthest first. The
/// header first.
std::vector<std::vector<std::string>> shown_misses(const std::vector<MeasuredTable>& tables);

}  // namespace gsan::report
