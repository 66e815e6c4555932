#pragma once
// What the tables need: which runs are there, which are missing, and how long these take.

#include <string>
#include <vector>

#include "apps/gsan/console/options.h"
#include "apps/gsan/reproduce_plan.h"
#include "apps/gsan/reproduce_records.h"

namespace gsan::app {

/// {"planned", "done", "missing", "stale", "estimated_seconds", "without_estimate"}, in runs.
Json progress_json(const std::vector<PlannedTable>& plan, const RecordStore& store);
std::string progress_text(const Json& progress, int jobs);

/// {"protocol", "cells": [{"table", "block", "row", "column", "kind", "runs", "there", "stale", "target",
/// "config", "estimated_seconds"}], "runs": progress_json, "whole": the same as if nothing were there}.
Json plan_json(const std::vector<PlannedTable>& plan, const RecordStore& store);
std::string plan_text(const Json& plan, int jobs);

}  // namespace gsan::app
