#pragma once
// The result of a sweep: its trials in the order of their validation, from the records of the runs.

#include <optional>
#include <string>
#include <vector>

#include "gsan/train/run_record.h"

#include "apps/gsan/console/options.h"
#include "apps/gsan/runner/sweep_space.h"

namespace gsan::app {

/// One run of a trial: its record, or why there is none.
struct SweepOutcome {
  std::uint64_t seed = 0;
  std::string folder;
  std::optional<RunRecord> record;
  std::string error;
};

struct SweepTrial {
  std::string name;
  Assignment keys;
  std::vector<SweepOutcome> runs;

  bool is_complete() const;
};

/// Complete trials from the best to the worst mean of the metric that validation chooses by; then the others
/// in their order. The test part has no influence.
Json ranking_json(std::vector<SweepTrial> trials);

std::string ranking_text(const Json& ranking);
std::string ranking_csv(const Json& ranking);

}  // namespace gsan::app
