#pragma once
// From records to the numbers of a table.

#include <string>
#include <vector>

#include "apps/gsan/reproduce_plan.h"
#include "apps/gsan/reproduce_records.h"

namespace gsan::app {

/// A cell as it was measured so far.
struct MeasuredCell {
  std::vector<double> values;        ///< one per run; with a curve one per seed
  std::vector<std::uint64_t> seeds;  ///< of the values
  bool is_by_seed = false;           ///< with a curve: only complete seeds are among the values
  double mean = 0, sd = 0;  ///< of a sample; with a curve: over the runs of a seed, averaged over the seeds
  bool has_sd = false;
  int done = 0, planned = 0;  ///< runs
  double last = 0;            ///< the same number with the last epoch in the place of the chosen one
  bool has_last = false;
  double own_best = 0;  ///< with a curve: mean of the runs' own best epochs
  int stale = 0;        ///< runs whose record has other settings

  bool is_measured() const { return !values.empty(); }
};

/// Without a curve: mean and sd of the headline metric on the test part (of the rule, where the row has one).
/// With a curve, seed by seed: the curves of its runs averaged, the best epoch of that average; a seed that
/// lacks runs counts only where no seed is complete.
MeasuredCell measure(const PlannedTable& table, const PlannedRow& row, const PlannedCell& cell,
                     const RecordStore& store);

/// "3", or "1 of 3" runs; with several runs per seed "2 x 10", "1 seed; 12 of 30" where only a complete seed
/// counts, or "4 of 30".
std::string run_count(const PlannedTable& table, const MeasuredCell& cell);

}  // namespace gsan::app
