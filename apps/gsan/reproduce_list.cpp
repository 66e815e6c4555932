#include "apps/gsan/reproduce_list.h"

#include "gsan/train/progress.h"

#include "apps/gsan/console/table.h"
#include "apps/gsan/reproduce_estimate.h"
#include "apps/gsan/reproduce_runs.h"

namespace gsan::app {
namespace {

Json time_json(const ExpectedTime& time) {
  return {{"estimated_seconds", time.seconds},
          {"without_estimate", time.unknown},
          {"estimate_of_machine", time.machine}};
}

Json cell_json(const PlannedTable& table, const PlannedBlock& block, const PlannedRow& row,
               const PlannedCell& cell, const RecordStore& store, const TimeEstimate& estimate) {
  int there = 0, stale = 0;
  ExpectedTime time;
  for (const PlannedRun& run : cell.runs) {
    there += store.find(run) != nullptr;
    stale += store.stale(run).has_value();
    time.add(estimate.seconds(run));
  }
  Json entry{{"table", table.name},
             {"block", block.name},
             {"row", row.name},
             {"column", cell.column},
             {"kind", kind_of(row)},
             {"runs", cell.runs.size()},
             {"there", there},
             {"stale", stale},
             {"target", cell.has_target},
             {"config", cell.runs.empty() ? "" : cell.runs.front().config.string()},
             {"estimated_seconds", nullptr}};
  if (!cell.runs.empty() && time.unknown == 0) entry["estimated_seconds"] = time.seconds;
  return entry;
}

}  // namespace

Json progress_json(const std::vector<PlannedTable>& plan, const RecordStore& store) {
  const std::size_t total = all_runs(plan).size();
  const TimeEstimate estimate = TimeEstimate::here(store);
  ExpectedTime time{.machine = estimate.machine()};
  std::size_t missing = 0, stale = 0;
  for (const RunToDo& todo : missing_runs(plan, store)) {
    ++missing;
    stale += store.stale(todo.run).has_value();
    time.add(estimate.seconds(todo.run));
  }
  Json progress{{"planned", total}, {"done", total - missing}, {"missing", missing}, {"stale", stale}};
  progress.update(time_json(time));
  return progress;
}

std::string progress_text(const Json& progress, int jobs) {
  const int missing = progress["missing"].get<int>(), stale = progress["stale"].get<int>();
  if (missing == 0) return concat("all ", progress["planned"].dump(), " runs are there\n");
  const ExpectedTime time{progress["estimated_seconds"].get<double>(), missing,
                          progress["without_estimate"].get<int>(),
                          progress["estimate_of_machine"].get<std::string>()};
  return concat(progress["done"].dump(), " of ", progress["planned"].dump(), " runs are there, ", missing,
                " missing", stale > 0 ? concat(" (", stale, " of them stale)") : "", ": ",
                expected_text(time, jobs), "\n");
}

Json plan_json(const std::vector<PlannedTable>& plan, const RecordStore& store) {
  const TimeEstimate estimate = TimeEstimate::here(store);
  Json cells = Json::array();
  for (const PlannedTable& table : plan)
    for (const PlannedBlock& block : table.blocks)
      for (const PlannedRow& row : block.rows)
        for (const PlannedCell& cell : row.cells)
          cells.push_back(cell_json(table, block, row, cell, store, estimate));
  const Protocol protocol = plan.empty() ? Protocol::strict : plan.front().protocol;
  return {{"command", "reproduce"},
          {"protocol", std::string(name_of(protocol))},
          {"cells", cells},
          {"runs", progress_json(plan, store)},
          {"whole", time_json(expected_time(plan, estimate))}};
}

std::string plan_text(const Json& plan, int jobs) {
  Table table({"table", "block", "row", "column", "runs", "there", "stale", "target", "config", "estimate"});
  const auto text = [](const Json& value) {
    return value == "" ? "-" : value.is_string() ? value.get<std::string>() : value.dump();
  };
  for (const Json& cell : plan["cells"])
    table.add(
        {text(cell["table"]), text(cell["block"]), text(cell["row"]), text(cell["column"]),
         text(cell["runs"]), text(cell["there"]), text(cell["stale"]), cell["target"] ? "yes" : "-",
         cell["kind"] == "quoted" ? "quoted" : text(cell["config"]),
         cell["estimated_seconds"].is_null() ? "-" : duration_text(cell["estimated_seconds"].get<double>())});
  const ExpectedTime whole{plan["whole"]["estimated_seconds"].get<double>(),
                           plan["runs"]["planned"].get<int>(), plan["whole"]["without_estimate"].get<int>(),
                           plan["whole"]["estimate_of_machine"].get<std::string>()};
  return concat(table.text(), progress_text(plan["runs"], jobs),
                "all of it, from nothing: ", expected_text(whole, jobs), "\n");
}

}  // namespace gsan::app
