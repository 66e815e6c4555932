#pragma once
// What the tables need: which runs are there, which are missing, and how long these take.

#include <optional>
#include <string>
#include <vector>

#include "gsan/report/estimate.h"

namespace gsan::report {

/// The runs without a record, each once: those of cells with a target first, then seed by seed, of each the
/// short ones first.
std::vector<RunToDo> missing_runs(const Plan& plan, const RecordStore& store, const TimeEstimate& estimate);

/// One run of twelve epochs, of which the first ones are slow, of every kind of which no record of this
/// machine tells an epoch from what is made once.
std::vector<RunToDo> timing_runs(const std::filesystem::path& experiments, PlanChoice choice,
                                 const RecordStore& store, const std::string& machine);

/// In runs.
struct PlanProgress {
  int planned = 0, done = 0, missing = 0, stale = 0;
  ExpectedTime left{};
};

PlanProgress progress_of(const Plan& plan, const RecordStore& store, const TimeEstimate& estimate);
std::string progress_text(const PlanProgress& progress, int jobs);

/// A cell of the plan.
struct CellProgress {
  std::string table{}, block{}, row{}, column{}, config{};
  RowKind kind = RowKind::model;
  int there = 0, stale = 0;  ///< of the runs of the plan
  bool has_target = false;
  std::optional<double> seconds{};  ///< of all its runs; nothing where no time is recorded
  std::vector<PlannedRun> plan{};
};

std::vector<CellProgress> cells_of(const Plan& plan, const RecordStore& store, const TimeEstimate& estimate);

/// The header first.
std::vector<std::vector<std::string>> shown_cells(const std::vector<CellProgress>& cells);

}  // namespace gsan::report
