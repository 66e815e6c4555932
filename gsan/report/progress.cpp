#include "gsan/report/progress.h"

#include <algorithm>
#include <set>

#include "gsan/train/progress.h"

namespace gsan::report {

std::vector<RunToDo> missing_runs(const Plan& plan, const RecordStore& store, const TimeEstimate& estimate) {
  std::vector<std::pair<double, RunToDo>> missing;  // seconds first
  for (RunToDo& todo : all_runs(plan)) {
    const Record* record = store.find(todo.run);
    if (record != nullptr && (todo.curve.empty() || !record->curve.empty())) continue;
    missing.emplace_back(estimate.seconds(todo.run).value_or(0), std::move(todo));
  }
  std::stable_sort(missing.begin(), missing.end(), [](const auto& a, const auto& b) {
    if (a.second.has_target != b.second.has_target) return a.second.has_target;
    if (a.second.run.key.seed != b.second.run.key.seed) return a.second.run.key.seed < b.second.run.key.seed;
    return a.first < b.first;
  });
  std::vector<RunToDo> sorted;
  for (auto& [seconds, todo] : missing) sorted.push_back(std::move(todo));
  return sorted;
}

std::vector<RunToDo> timing_runs(const std::filesystem::path& experiments, PlanChoice choice,
                                 const RecordStore& store, const std::string& machine) {
  const Texts same_work = read_tables(experiments).same_work;
  const TimeEstimate known(store, same_work, machine);
  choice.seeds = 1;
  choice.set.emplace_back("train.epochs=12");
  std::vector<RunToDo> runs;
  std::set<std::string> kinds;
  for (RunToDo& todo : all_runs(make_plan(experiments, choice))) {
    if (todo.run.key.kind == RecordKind::rules || known.knows_epoch(todo.run)) continue;
    if (!kinds.insert(work_of(todo.run.key, same_work)).second) continue;
    todo.for_time = true;
    runs.push_back(std::move(todo));
  }
  return runs;
}

PlanProgress progress_of(const Plan& plan, const RecordStore& store, const TimeEstimate& estimate) {
  PlanProgress progress{.planned = static_cast<int>(all_runs(plan).size()),
                        .left = {.machine = estimate.machine()}};
  for (const RunToDo& todo : missing_runs(plan, store, estimate)) {
    ++progress.missing;
    progress.stale += store.is_stale(todo.run);
    progress.left.add(estimate.seconds(todo.run));
  }
  progress.done = progress.planned - progress.missing;
  return progress;
}

std::string progress_text(const PlanProgress& progress, int jobs) {
  if (progress.missing == 0) return concat("all ", progress.planned, " runs are there\n");
  return concat(progress.done, " of ", progress.planned, " runs are there, ", progress.missing, " missing",
                progress.stale > 0 ? concat(" (", progress.stale, " of them stale)") : "", ": ",
                expected_text(progress.left, jobs), "\n");
}

std::vector<CellProgress> cells_of(const Plan& plan, const RecordStore& store, const TimeEstimate& estimate) {
  std::vector<CellProgress> cells;
  for (const PlannedTable& table : plan)
    for (const PlannedBlock& block : table.blocks)
      for (const PlannedRow& row : block.rows)
        for (const PlannedCell& cell : row.cells) {
          CellProgress entry{.table = table.name,
                             .block = block.name,
                             .row = row.name,
                             .column = cell.column,
                             .config = cell.runs.empty() ? "" : cell.runs.front().key.config,
                             .kind = row.kind,
                             .has_target = cell.has_target,
                             .seconds = {},
                             .plan = cell.runs};
          ExpectedTime time;
          for (const PlannedRun& run : cell.runs) {
            entry.there += store.find(run) != nullptr;
            entry.stale += store.is_stale(run);
            time.add(estimate.seconds(run));
          }
          if (!cell.runs.empty() && time.unknown == 0) entry.seconds = time.seconds;
          cells.push_back(std::move(entry));
        }
  return cells;
}

std::vector<std::vector<std::string>> shown_cells(const std::vector<CellProgress>& cells) {
  std::vector<std::vector<std::string>> rows{
      {"table", "block", "row", "column", "runs", "there", "stale", "target", "config", "estimate"}};
  for (const CellProgress& cell : cells)
    rows.push_back({cell.table, cell.block.empty() ? "-" : cell.block, cell.row, cell.column,
                    std::to_string(cell.plan.size()), std::to_string(cell.there), std::to_string(cell.stale),
                    cell.has_target ? "yes" : "-", cell.kind == RowKind::quoted ? "quoted" : cell.config,
                    cell.seconds ? duration_text(*cell.seconds) : "-"});
  return rows;
}

}  // namespace gsan::report
