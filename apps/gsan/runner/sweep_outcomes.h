#pragma once
// What the runs of a sweep found so far, trial by trial, from their folders.

#include "apps/gsan/runner/sweep_plan.h"
#include "apps/gsan/runner/sweep_ranking.h"

namespace gsan::app {

bool is_done(const SweepRun& run);  ///< its record is there

/// One entry per trial with its runs in the order of `runs`. `errors`: why a run has no record, one text per
/// run; a record that cannot be read is added to them.
std::vector<SweepTrial> outcomes_of(const std::vector<SweepRun>& runs, const std::vector<Assignment>& trials,
                                    std::vector<std::string>& errors);

/// The trials of the sweep in `folder`, finished or not; an error when it holds none.
std::vector<SweepTrial> read_outcomes(const std::filesystem::path& folder);

}  // namespace gsan::app
