#pragma once
// What the tables are measured for (Target of plan_file.h), and how far that is.

#include <string>
#include <vector>

#include "gsan/report/tables.h"

namespace gsan::report {

/// Whether a target speaks of this cell, as what is measured or as what it is compared with.
bool is_target(const std::vector<Target>& targets, const PlannedTable& table, const std::string& block,
               const std::string& row, const std::string& column);

struct JudgedTarget {
  std::string says{};
  /// Whose numbers these are. A target with variants among its rows is judged twice, as its rows are printed
  /// and by the best variant: a variant never counts as the paper's row.
  std::string line{};
  int cells = 0, measured = 0, met = 0;
  int complete = 0;     ///< cells with all runs of the table
  std::string state{};  ///< met; met so far: cells lack runs; open: cells lack all runs; missed
  std::string worst{};  ///< the cell nearest to missing it, or farthest from it; empty: nothing is measured
};

/// Targets of other protocols or tables than the measured ones are left out.
std::vector<JudgedTarget> judge_targets(const std::vector<Target>& targets,
                                        const std::vector<MeasuredTable>& tables);

/// The header first.
std::vector<std::vector<std::string>> shown_targets(const std::vector<JudgedTarget>& targets);

}  // namespace gsan::report
