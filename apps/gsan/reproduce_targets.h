#pragma once
// What the tables are measured for: the list "targets" of experiments/tables.json.
//
//   {"says": …, "table": "trajectory", "protocol": "published", "rows": ["GSAN", "SAN"],
//    "columns": […], "blocks": […],                                   (missing: all)
//    "at_least": {"ocean drifters": 99.0} or "printed"}               (columns: those that are named)
//
// In the place of "at_least": "above": [rules] or "within_one_sd_of": [rules], over the seeds that row and
// rule have in common. The best of the rows with the most runs counts, cell by cell.

#include <string>

#include "apps/gsan/console/options.h"

namespace gsan::app {

struct PlannedTable;

/// Whether a target speaks of this cell, as what is measured or as what it is compared with.
bool is_target(const Json& targets, const PlannedTable& table, const std::string& block,
               const std::string& row, const std::string& column);

/// [{"says", "cells", "measured", "met", "complete", "state", "worst": …}], state: "met", "met so far" (cells
/// lack runs), "open" (cells lack all runs) or "missed"; complete: cells with all runs of the table. From the
/// report of all tables (reproduce_report.h) of one protocol; targets of other protocols or tables are left
/// out.
Json judge_targets(const Json& targets, const Json& report);

}  // namespace gsan::app
