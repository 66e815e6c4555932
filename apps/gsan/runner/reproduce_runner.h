#pragma once
// Measures what is missing of the tables: models by child processes, rules in this one. Keeps their records.

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gsan/report/estimate.h"

namespace gsan::app {

struct RunnerOptions {
  std::filesystem::path experiments, results;
  std::filesystem::path work;  ///< run folders, while they run
  std::string machine;
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
/// that was interrupted is resumed where it was; one that another process works on is left to it.
RunnerOutcome run_missing(const std::vector<report::RunToDo>& missing, std::size_t total,
                          report::RecordStore& store, const report::TimeEstimate& estimate,
                          const RunnerOptions& options);

/// "Intel(R) Xeon(R) …, 2 cores"
std::string machine_name();

}  // namespace gsan::app
