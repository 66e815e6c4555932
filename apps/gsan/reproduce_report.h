#pragma once
// The tables of the paper beside what was measured, for people and for programs: one report, four forms.

#include <string>
#include <vector>

#include "apps/gsan/console/options.h"
#include "apps/gsan/reproduce_plan.h"
#include "apps/gsan/reproduce_records.h"

namespace gsan::app {

/// {"protocol", "tables": [{"name", "title", "metric", "says", "columns", "blocks": [{"name", "rows":
/// [{"name", "kind": model | rule | quoted, "cells": [{"column", "mean", "sd", "values", "done", "planned",
/// "runs", "last_epoch", "printed", "difference", "stale"}]}]}], "remarks", "set"}]}. All that follows is
/// made of it.
Json tables_json(const std::vector<PlannedTable>& plan, const RecordStore& store);

enum class ReportFormat { text, csv, json, markdown };

std::string tables_text(const Json& report);
std::string tables_markdown(const Json& report);
std::string tables_csv(const Json& report);

/// One table alone, under no heading.
std::string table_markdown(const Json& table);

/// The header first.
std::string markdown_table(const std::vector<std::vector<std::string>>& rows);

std::string targets_text(const Json& targets);
std::string targets_markdown(const Json& targets);

/// "98.7 ± 0.3"; one decimal, as printed. `plus_minus` is the sign between them.
std::string shown_number(const Json& mean, const Json& sd, const std::string& plus_minus);

}  // namespace gsan::app
