#pragma once
// From records to the numbers of a table.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gsan/report/plan.h"
#include "gsan/report/record_store.h"

namespace gsan::report {

/// Why a measured number is, or is not, the printed one.
enum class Verdict {
  none,      ///< nothing is printed, or nothing is measured under the protocol of the paper
  agrees,    ///< no further away than the printed deviation and two of our standard errors
  misprint,  ///< the printed cell repeats another one
  protocol,  ///< the printed number was made under a protocol that is not repeated here
  setting,   ///< anything else: the printed row was not run with the settings that are published of it
};

/// A cell as it was measured so far.
struct MeasuredCell {
  std::string column{};
  std::vector<double> values{};        ///< one per run; with a curve one per seed
  std::vector<std::uint64_t> seeds{};  ///< of the values
  bool is_by_seed = false;             ///< with a curve: only complete seeds are among the values
  double mean = 0;
  std::optional<double> sd{};  ///< of a sample; with a curve: over the runs of a seed, mean over the seeds
  std::optional<double> standard_error{};  ///< of the mean over the values, two or more
  int done = 0, planned = 0;               ///< runs
  std::string runs{};                      ///< both in words: run_count()
  std::optional<double> last{};      ///< the same number with the last epoch in the place of the chosen one
  std::optional<double> own_best{};  ///< with a curve: mean of the runs' own best epochs
  int stale = 0;                     ///< runs whose record has another config
  std::optional<PaperFigure> printed{};
  bool has_target = false;
  Verdict verdict = Verdict::none;

  bool is_measured() const { return !values.empty(); }
  std::optional<double> difference() const;  ///< ours minus printed
};

/// Without a curve: mean and sd of the headline metric on the test part (of the rule, where the row has one).
/// With a curve, seed by seed: the curves of its runs averaged, the best epoch of that average; a seed that
/// lacks runs counts only where no seed is complete.
MeasuredCell measure(const PlannedTable& table, const PlannedRow& row, const PlannedCell& cell,
                     const RecordStore& store);

/// "3", or "1 of 3" runs; with several runs per seed "2 x 10", "1 seed; 12 of 30" where only a complete seed
/// counts, or "4 of 30".
std::string run_count(const PlannedTable& table, const MeasuredCell& cell);

/// Of a cell with its numbers; a variant of a row has none.
Verdict verdict_of(const PlannedTable& table, const PlannedRow& row, const PlannedCell& cell,
                   const MeasuredCell& measured);

}  // namespace gsan::report

namespace gsan {
template <>
struct EnumNames<report::Verdict> {
  static constexpr std::pair<report::Verdict, std::string_view> names[] = {
      {report::Verdict::none, "-"},
      {report::Verdict::agrees, "agrees"},
      {report::Verdict::misprint, "misprint"},
      {report::Verdict::protocol, "protocol"},
      {report::Verdict::setting, "setting"}};
};
}  // namespace gsan
