#include "apps/gsan/reproduce_estimate.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "apps/gsan/reproduce_runs.h"

namespace gsan::app {
namespace {

constexpr std::array same_work{"seed",
                               "split.fold",
                               "data.seed",
                               "imputation.missing",
                               "imputation.choice",
                               "trajectory.orientation",
                               "simplex-prediction.features",
                               "simplex-prediction.split",
                               "train.epochs",
                               "train.optimizer.learning_rate",
                               "train.optimizer.weight_decay"};

std::string kind_of(const FlatSettings& settings) {
  std::string text;
  for (const auto& [key, value] : settings)
    if (std::find(same_work.begin(), same_work.end(), key) == same_work.end())
      text += concat(key, "=", value, "\n");
  return text;
}

}  // namespace

std::string work_of(const PlannedRun& run) { return kind_of(run.settings); }

std::map<std::string, TimeEstimate::Kinds> TimeEstimate::by_machine(const RecordStore& store) {
  std::map<std::string, Kinds> machines;
  for (const auto& [file, record] : store.all()) {
    const RunRecord& result = record.result;
    if (record.device != "cpu" || result.epochs <= 0) continue;
    Kind own{result.epoch_seconds > 0, result.epoch_seconds};
    if (!own.is_told_apart) own.epoch = result.seconds / result.epochs;
    // Sessions that were killed are not in the seconds, but their epochs are counted.
    own.once = std::max(0.0, result.seconds - result.epochs * own.epoch);
    const auto [place, is_new] = machines[record.machine].emplace(kind_of(record.settings), own);
    Kind& known = place->second;
    const bool is_better =
        own.is_told_apart == known.is_told_apart ? own.epoch < known.epoch : own.is_told_apart;
    if (is_better) known = own;
  }
  return machines;
}

TimeEstimate::TimeEstimate(const RecordStore& store) {
  for (auto& [machine, kinds] : by_machine(store)) {
    if (kinds.size() <= kinds_.size()) continue;
    machine_ = machine;
    kinds_ = kinds;
  }
}

TimeEstimate::TimeEstimate(const RecordStore& store, const std::string& machine)
    : machine_(machine), kinds_(by_machine(store)[machine]) {}

TimeEstimate TimeEstimate::here(const RecordStore& store) {
  TimeEstimate estimate(store, machine_name());
  return estimate.kinds_.empty() ? TimeEstimate(store) : estimate;
}

const TimeEstimate::Kind* TimeEstimate::find(const PlannedRun& run) const {
  const auto found = kinds_.find(kind_of(run.settings));
  return found == kinds_.end() ? nullptr : &found->second;
}

std::optional<double> TimeEstimate::seconds(const PlannedRun& run) const {
  const Kind* kind = find(run);
  if (kind == nullptr) return std::nullopt;
  return kind->once + run.epochs * kind->epoch;
}

bool TimeEstimate::knows_epoch(const PlannedRun& run) const {
  const Kind* kind = find(run);
  return kind != nullptr && kind->is_told_apart;
}

ExpectedTime expected_time(const std::vector<PlannedTable>& plan, const TimeEstimate& estimate) {
  ExpectedTime time{.machine = estimate.machine()};
  for (const RunToDo& todo : all_runs(plan)) time.add(estimate.seconds(todo.run));
  return time;
}

std::string expected_text(const ExpectedTime& time, int jobs) {
  if (time.runs == 0) return "";
  if (2 * time.unknown >= time.runs)
    return concat("of ", time.unknown, " of ", time.runs, " runs no time is recorded; --time measures it");
  char hours[48];
  std::snprintf(hours, sizeof hours, "%.2f h", time.seconds / 3600 / jobs);
  std::string text = concat(
      "about ", hours, " with ", jobs, jobs == 1 ? " job" : " jobs",
      " (estimate: least recorded seconds per epoch x epochs, and what is made once, on ", time.machine);
  if (time.unknown > 0) text += concat("; without ", time.unknown, " runs of which no time is recorded");
  return text + ")";
}

}  // namespace gsan::app
