#pragma once
// Trains what is missing of a sweep, together with whoever else does so in its folder.

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "apps/gsan/runner/sweep_plan.h"

namespace gsan::app {

struct SweepWork {
  const SweepPlan& plan;
  std::filesystem::path folder;
  int jobs = 1, threads = 1;
  std::string device = "cpu";
  bool quiet = false;
  /// A process whose claim stays as it is for so long is lost: its run is trained by another one.
  std::chrono::milliseconds lost_after{60000};
};

struct SweepEnd {
  bool is_finished = false;         ///< else it was interrupted
  std::vector<std::string> errors;  ///< why a run has no record, one text per run; empty: it has one
  bool has_failed() const;
};

/// Every run is trained by one process at a time (run_claims.h), resumed where another one has left it, and
/// has one record. Returns when all have one, or have failed here.
SweepEnd work_on(const SweepWork& work);

}  // namespace gsan::app
