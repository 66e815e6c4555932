#pragma once
// How long runs will take, from those that are recorded.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gsan/report/record_store.h"

namespace gsan::report {

/// The time of runs of one kind: those of one config whose changes differ only in keys that do not change the
/// work (`same_work` of tables.json: the seed, the fold, which values are missing, how many epochs). On the
/// processor of one machine: times of other devices and machines say nothing about it.
class TimeEstimate {
 public:
  /// By the machine that has run most kinds: the same wherever it is asked.
  TimeEstimate(const RecordStore& store, const Texts& same_work);
  /// By this machine alone.
  TimeEstimate(const RecordStore& store, const Texts& same_work, const std::string& machine);
  /// By the machine at hand, or where nothing ran on it as the first one.
  static TimeEstimate here(const RecordStore& store, const Texts& same_work, const std::string& machine);

  const std::string& machine() const { return machine_; }

  /// What is made once and epochs x the seconds of one, by the record of its kind with the shortest epochs:
  /// what else a machine does only makes them longer. Where no record tells the two apart all of its time is
  /// shared out to its epochs. Nothing where none of its kind is recorded. Rules take what they took, or 0
  /// where that is not known: seconds beside trainings.
  std::optional<double> seconds(const PlannedRun& run) const;
  /// Some record of its kind tells an epoch from what is made once.
  bool knows_epoch(const PlannedRun& run) const;

 private:
  struct Kind {
    bool is_told_apart = false;
    double epoch = 0, once = 0;  // seconds
  };
  using Kinds = std::map<std::string, Kind>;
  static std::map<std::string, Kinds> by_machine(const RecordStore& store, const Texts& same_work);
  const Kind* find(const PlannedRun& run) const;
  Texts same_work_;
  std::string machine_;
  Kinds kinds_;
};

/// The same text for runs of one kind.
std::string work_of(const RunKey& key, const Texts& same_work);

struct ExpectedTime {
  double seconds = 0;  ///< of one run after the other
  int runs = 0, unknown = 0;
  std::string machine{};  ///< that it was measured on

  void add(const std::optional<double>& of_run) {
    ++runs;
    unknown += !of_run;
    seconds += of_run.value_or(0);
  }
};

/// Of all runs of the plan, recorded or not, each once.
ExpectedTime expected_time(const Plan& plan, const TimeEstimate& estimate);

/// "about 3.20 h" and how many runs it leaves out; empty without runs.
std::string expected_text(const ExpectedTime& time, int jobs);

}  // namespace gsan::report
