#pragma once
// Records and cells with a few numbers.

#include "gsan/report/cells.h"

namespace gsan::report {

inline Record sample_record(const std::string& resolved = "0123456789abcdef", std::uint64_t seed = 3) {
  Record record;
  record.table = "walks";
  record.key = {.kind = RecordKind::model,
                .config = "walks.yaml",
                .protocol = Protocol::published,
                .set = {"split.fold=1"},
                .by_hand = {},
                .seed = seed};
  record.resolved = resolved;
  record.origin.commit = "44771aa";
  record.origin.machine = "a machine, 2 cores";
  record.task = "trajectory";
  record.data = "walks";
  record.headline = record.chosen_by = "accuracy";
  record.seconds = 12.5;
  record.model = "san";
  record.end = "finished";
  record.epochs = 2;
  record.best_epoch = 1;
  record.parameters = 17;
  record.epoch_seconds = 5.25;
  record.validation = {{"accuracy", 90.0}, {"loss", 0.1}};
  record.test = {{"accuracy", 100.0 / 3}, {"loss", 0.2}};
  record.last = {{"accuracy", 89.0}};
  return record;
}

inline Record sample_rules() {
  Record record;
  record.table = "walks";
  record.key = sample_record().key;
  record.key.kind = RecordKind::rules;
  record.resolved = "fedcba9876543210";
  record.origin = sample_record().origin;
  record.task = "trajectory";
  record.data = "walks";
  record.headline = "accuracy";
  record.rules = {{"majority class", {{"accuracy", 55.0}}}, {"regression on |x|", {{"accuracy", 85.5}}}};
  return record;
}

inline PlannedRun run_of(const Record& record) {
  return {.key = record.key, .table = record.table, .name = "walks/run", .resolved = record.resolved};
}

/// A cell of one run a seed, seeds 0, 1, …, with these values of the headline; in the store and planned.
inline PlannedCell planned_cell(RecordStore& store, const std::vector<double>& values) {
  PlannedCell cell{.column = "ring", .runs = {}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    Record record = sample_record(concat("run-", store.all().size()), i);
    record.key.config = concat("walks-", store.all().size(), ".yaml");
    record.test = {{"accuracy", values[i]}};
    cell.runs.push_back(run_of(record));
    store.add(std::move(record));
  }
  return cell;
}

}  // namespace gsan::report
