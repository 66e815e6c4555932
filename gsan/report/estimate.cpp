#include "gsan/report/estimate.h"

#include <algorithm>
#include <cstdio>

namespace gsan::report {
std::string work_of(const RunKey& key, const Texts& same_work) {
  std::vector<std::string> changes = key.set;
  changes.insert(changes.end(), key.by_hand.begin(), key.by_hand.end());
  std::sort(changes.begin(), changes.end());
  std::string text =
      concat(key.kind == RecordKind::rules ? "rules of " : "", key.config, " ", name_of(key.protocol), "\n");
  for (const std::string& change : changes)
    if (std::find(same_work.begin(), same_work.end(), change.substr(0, change.find('='))) == same_work.end())
      text += change + "\n";
  return text;
}

std::map<std::string, TimeEstimate::Kinds> TimeEstimate::by_machine(const RecordStore& store,
                                                                    const Texts& same_work) {
  std::map<std::string, Kinds> machines;
  for (const Record& record : store.all()) {
    const bool is_rules = record.key.kind == RecordKind::rules;
    if (record.origin.device != "cpu" || (record.epochs <= 0 && !is_rules)) continue;
    Kind own{is_rules || record.epoch_seconds > 0, record.epoch_seconds};
    if (!own.is_told_apart) own.epoch = record.seconds / record.epochs;
    // Sessions that were killed are not in the seconds, but their epochs are counted.
    own.once = std::max(0.0, record.seconds - record.epochs * own.epoch);
    const auto [place, is_new] = machines[record.origin.machine].emplace(work_of(record.key, same_work), own);
    Kind& known = place->second;
    const double own_time = is_rules ? own.once : own.epoch, known_time = is_rules ? known.once : known.epoch;
    const bool is_better =
        own.is_told_apart == known.is_told_apart ? own_time < known_time : own.is_told_apart;
    if (is_better) known = own;
  }
  return machines;
}

TimeEstimate::TimeEstimate(const RecordStore& store, const Texts& same_work) : same_work_(same_work) {
  for (auto& [machine, kinds] : by_machine(store, same_work)) {
    if (kinds.size() <= kinds_.size()) continue;
    machine_ = machine;
    kinds_ = kinds;
  }
}

TimeEstimate::TimeEstimate(const RecordStore& store, const Texts& same_work, const std::string& machine)
    : same_work_(same_work), machine_(machine), kinds_(by_machine(store, same_work)[machine]) {}

TimeEstimate TimeEstimate::here(const RecordStore& store, const Texts& same_work,
                                const std::string& machine) {
  TimeEstimate estimate(store, same_work, machine);
  return estimate.kinds_.empty() ? TimeEstimate(store, same_work) : estimate;
}

const TimeEstimate::Kind* TimeEstimate::find(const PlannedRun& run) const {
  const auto found = kinds_.find(work_of(run.key, same_work_));
  return found == kinds_.end() ? nullptr : &found->second;
}

std::optional<double> TimeEstimate::seconds(const PlannedRun& run) const {
  const Kind* kind = find(run);
  if (kind == nullptr) return run.key.kind == RecordKind::rules ? std::optional(0.0) : std::nullopt;
  return kind->once + run.epochs * kind->epoch;
}

bool TimeEstimate::knows_epoch(const PlannedRun& run) const {
  const Kind* kind = find(run);
  return kind != nullptr && kind->is_told_apart;
}

ExpectedTime expected_time(const Plan& plan, const TimeEstimate& estimate) {
  ExpectedTime time{.machine = estimate.machine()};
  for (const RunToDo& todo : all_runs(plan)) time.add(estimate.seconds(todo.run));
  return time;
}

std::string expected_text(const ExpectedTime& time, int jobs) {
  if (time.runs == 0) return "";
  if (time.machine.empty()) return "no time is recorded yet; --time measures it";
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

}  // namespace gsan::report
