#pragma once
// What `gsan reproduce --json` prints.

#include "gsan/report/progress.h"
#include "gsan/report/targets.h"

#include "apps/gsan/console/options.h"

namespace gsan::app {

/// {"command", "protocol", "tables": [{"name", "title", "metric", "says", "columns", "blocks": [{"name",
/// "rows": [{"name", "kind": model | variant | rule | quoted, "cells": [{"column", "mean", "sd",
/// "standard_error", "values", "seeds", "done", "planned", "runs", "last_epoch", "printed", "difference",
/// "verdict", "stale", "target"}]}]}], "set"}], "targets"}
Json tables_json(const std::vector<report::MeasuredTable>& tables, Protocol protocol);

Json targets_json(const std::vector<report::JudgedTarget>& targets);

/// {"planned", "done", "missing", "stale", "estimated_seconds", "without_estimate", "estimate_of_machine"}
Json progress_json(const report::PlanProgress& progress);

/// {"command", "protocol", "cells": [{"table", "block", "row", "column", "kind", "runs", "there", "stale",
/// "target", "config", "estimated_seconds", "plan": [{"config", "set", "seed", "resolved"}]}], "runs":
/// progress_json, "whole": time as if nothing were there}
Json plan_json(const std::vector<report::CellProgress>& cells, const report::PlanProgress& progress,
               const report::ExpectedTime& whole, Protocol protocol);

}  // namespace gsan::app
