#include "apps/gsan/runner/sweep_outcomes.h"

#include "gsan/core/check.h"
#include "gsan/train/experiment.h"

namespace gsan::app {

bool is_done(const SweepRun& run) { return std::filesystem::exists(record_file(run.folder)); }

std::vector<SweepTrial> outcomes_of(const std::vector<SweepRun>& runs, const std::vector<Assignment>& trials,
                                    std::vector<std::string>& errors) {
  std::vector<SweepTrial> results;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const SweepRun& run = runs[i];
    if (run.trial == results.size()) results.push_back({trial_name(run.trial), trials[run.trial], {}});
    SweepOutcome outcome{run.seed, run.folder.string(), {}, {}};
    try {
      if (is_done(run)) outcome.record = read_record(record_file(run.folder));
    } catch (const Error& error) {
      errors[i] = concat(error.what(), "; remove this file and go on with --resume: the run makes it again");
    }
    outcome.error = errors[i];
    results.back().runs.push_back(std::move(outcome));
  }
  return results;
}

std::vector<SweepTrial> read_outcomes(const std::filesystem::path& folder) {
  GSAN_CHECK(holds_sweep(folder), folder.string(),
             " holds no sweep: there is no sweep.yaml in it; `gsan sweep` makes one");
  const SweepPlan plan = read_plan(folder);
  const std::vector<SweepRun> runs = runs_of(folder, plan);
  std::vector<std::string> errors(runs.size());
  return outcomes_of(runs, plan.space.trials(), errors);
}

}  // namespace gsan::app
