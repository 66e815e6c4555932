#pragma once
// Runs what is missing of the tables, as child processes, and keeps its records.

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/gsan/reproduce_plan.h"
#include "apps/gsan/reproduce_records.h"

namespace gsan::app {

/// A run to do, with what its record must hold.
struct RunToDo {
  PlannedRun run;
  std::string curve;  ///< of the table (PlannedTable)
  bool has_target = false;
  bool for_time = false;  ///< the record must tell the time of an epoch on this machine
};

/// The runs without a record, each once: those of cells with a target first, then seed by seed, of each the
/// short ones first.
std::vector<RunToDo> missing_runs(const std::vector<PlannedTable>& plan, const RecordStore& store);

/// Every different run of the plan once, in its order.
std::vector<RunToDo> all_runs(const std::vector<PlannedTable>& plan);

struct RunnerOptions {
  std::filesystem::path results;
  std::filesystem::path work;  ///< run folders, while they run
  int jobs = 1, threads = 1;
  std::string device = "cpu";
  std::optional<double> budget{};  ///< seconds after which none is started
  bool quiet = false;
};

struct RunnerOutcome {
  std::vector<std::pair<std::string, std::string>> failed;  ///< name and message
  int busy = 0;                                             ///< another process was working on these
  bool is_interrupted = false, is_over_budget = false;
};

/// `total`: runs of the plan, for the display. Records are written and added to the store one by one. A run
/// that was interrupted goes on where it was; one that another process works on is left to it.
RunnerOutcome run_missing(const std::vector<RunToDo>& missing, std::size_t total, RecordStore& store,
                          const RunnerOptions& options);

}  // namespace gsan::app
