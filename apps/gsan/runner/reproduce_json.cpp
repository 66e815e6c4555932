#include "apps/gsan/runner/reproduce_json.h"

namespace gsan::app {
namespace {

Json known(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

template <class Enum>
std::string text_of(Enum value) {
  return std::string(name_of(value));
}

Json cell_json(const report::MeasuredCell& cell) {
  Json object{{"column", cell.column},
              {"mean", cell.is_measured() ? Json(cell.mean) : Json(nullptr)},
              {"sd", known(cell.sd)},
              {"standard_error", known(cell.standard_error)},
              {"values", cell.values},
              {"seeds", cell.seeds},
              {"done", cell.done},
              {"planned", cell.planned},
              {"runs", cell.runs},
              {"last_epoch", known(cell.last)},
              {"own_best", known(cell.own_best)},
              {"printed", nullptr},
              {"difference", known(cell.difference())},
              {"verdict", nullptr},
              {"stale", cell.stale},
              {"target", cell.has_target}};
  if (cell.printed)
    object["printed"] = {{"mean", cell.printed->mean},
                         {"sd", cell.printed->deviation},
                         {"misprint", cell.printed->is_misprint}};
  if (cell.verdict != report::Verdict::none) object["verdict"] = text_of(cell.verdict);
  return object;
}

Json table_json(const report::MeasuredTable& table) {
  Json blocks = Json::array();
  for (const report::MeasuredBlock& block : table.blocks) {
    Json rows = Json::array();
    for (const report::MeasuredRow& row : block.rows) {
      Json cells = Json::array();
      for (const report::MeasuredCell& cell : row.cells) cells.push_back(cell_json(cell));
      rows.push_back({{"name", row.name}, {"kind", text_of(row.kind)}, {"cells", cells}});
    }
    blocks.push_back({{"name", block.name}, {"rows", rows}});
  }
  return {{"name", table.name},     {"title", table.title},
          {"metric", table.metric}, {"protocol", text_of(table.protocol)},
          {"says", table.says},     {"columns", table.columns},
          {"blocks", blocks},       {"set", table.by_hand}};
}

Json runs_json(const std::vector<report::PlannedRun>& runs) {
  Json all = Json::array();
  for (const report::PlannedRun& run : runs)
    all.push_back({{"config", run.key.config},
                   {"set", run.key.set},
                   {"seed", run.key.seed},
                   {"resolved", run.resolved}});
  return all;
}

Json time_json(const report::ExpectedTime& time) {
  return {{"estimated_seconds", time.seconds},
          {"without_estimate", time.unknown},
          {"estimate_of_machine", time.machine}};
}

}  // namespace

Json tables_json(const std::vector<report::MeasuredTable>& tables, Protocol protocol) {
  Json all = Json::array();
  for (const report::MeasuredTable& table : tables) all.push_back(table_json(table));
  return {{"command", "reproduce"}, {"protocol", text_of(protocol)}, {"tables", all}};
}

Json targets_json(const std::vector<report::JudgedTarget>& targets) {
  Json all = Json::array();
  for (const report::JudgedTarget& target : targets)
    all.push_back({{"says", target.says},
                   {"by", target.line},
                   {"cells", target.cells},
                   {"measured", target.measured},
                   {"met", target.met},
                   {"complete", target.complete},
                   {"state", target.state},
                   {"worst", target.worst.empty() ? Json(nullptr) : Json(target.worst)}});
  return all;
}

Json progress_json(const report::PlanProgress& progress) {
  Json object{{"planned", progress.planned},
              {"done", progress.done},
              {"missing", progress.missing},
              {"stale", progress.stale}};
  object.update(time_json(progress.left));
  return object;
}

Json plan_json(const std::vector<report::CellProgress>& cells, const report::PlanProgress& progress,
               const report::ExpectedTime& whole, Protocol protocol) {
  Json all = Json::array();
  for (const report::CellProgress& cell : cells)
    all.push_back({{"table", cell.table},
                   {"block", cell.block},
                   {"row", cell.row},
                   {"column", cell.column},
                   {"kind", text_of(cell.kind)},
                   {"runs", cell.plan.size()},
                   {"there", cell.there},
                   {"stale", cell.stale},
                   {"target", cell.has_target},
                   {"config", cell.config},
                   {"estimated_seconds", known(cell.seconds)},
                   {"plan", runs_json(cell.plan)}});
  return {{"command", "reproduce"},
          {"protocol", text_of(protocol)},
          {"cells", all},
          {"runs", progress_json(progress)},
          {"whole", time_json(whole)}};
}

}  // namespace gsan::app
