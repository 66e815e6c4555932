#include "apps/gsan/reproduce_targets.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "gsan/tasks/task.h"

#include "apps/gsan/reproduce_plan.h"

namespace gsan::app {
namespace {

bool lists(const Json& target, const char* key, const std::string& name) {
  return !target.contains(key) ||
         std::find(target[key].begin(), target[key].end(), name) != target[key].end();
}

// The rules that the rows are compared with.
Json rules_of(const Json& target) {
  return target.contains("above") ? target["above"] : target.value("within_one_sd_of", Json::array());
}

bool is_column_of(const Json& target, const std::string& column) {
  const bool is_named =
      !target.contains("at_least") || !target["at_least"].is_object() || target["at_least"].contains(column);
  return is_named && lists(target, "columns", column);
}

struct Judged {
  bool is_measured = false, is_met = false, is_complete = false;
  double margin = 0;  // above what is asked for
  std::string text;
};

const Json* cell_of(const Json& row, const std::string& column) {
  for (const Json& cell : row["cells"])
    if (cell["column"] == column) return &cell;
  return nullptr;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

// More runs first (a lucky seed is no mean), then the mean.
bool is_better(const Json& cell, const Json& other) {
  return cell["done"] != other["done"] ? cell["done"] > other["done"] : cell["mean"] > other["mean"];
}

// The mean over the seeds that both have: one mask or split differs from the next by more than models do.
std::optional<double> mean_over_common_seeds(const Json& cell, const Json& other) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < cell["seeds"].size(); ++i) {
    const Json& seeds = other["seeds"];
    if (std::find(seeds.begin(), seeds.end(), cell["seeds"][i]) == seeds.end()) continue;
    sum += cell["values"][i].get<double>();
    ++count;
  }
  return count == 0 ? std::nullopt : std::optional(sum / count);
}

// One cell: the best of the rows against what is asked for.
Judged judge(const Json& target, const Json& block, const std::string& column) {
  Judged judged;
  const Json *best = nullptr, *best_row = nullptr;
  std::optional<double> needed;
  const Json rules = rules_of(target);
  std::vector<const Json*> rule_cells;
  for (const Json& row : block["rows"]) {
    const Json* cell = cell_of(row, column);
    if (cell == nullptr) continue;
    const Json& mean = (*cell)["mean"];
    if (std::find(rules.begin(), rules.end(), row["name"]) != rules.end()) rule_cells.push_back(cell);
    if (!lists(target, "rows", row["name"])) continue;
    if (target.value("at_least", Json()) == "printed" && (*cell)["printed"].is_object())
      needed = (*cell)["printed"]["mean"].get<double>();
    if (!mean.is_number()) continue;
    if (best == nullptr || is_better(*cell, *best)) best = cell, best_row = &row;
  }
  if (target.contains("at_least") && target["at_least"].is_object())
    needed = target["at_least"][column].get<double>();
  if (best == nullptr) return judged;
  double mean = (*best)["mean"].get<double>();
  for (const Json* rule : rule_cells) {
    const auto level = mean_over_common_seeds(*rule, *best), own = mean_over_common_seeds(*best, *rule);
    if (!level || !own) return judged;
    const bool has_room = target.contains("within_one_sd_of") && (*rule)["sd"].is_number();
    const double asked = *level - (has_room ? (*rule)["sd"].get<double>() : 0);
    if (!needed || *own - asked < mean - *needed) mean = *own, needed = asked;
  }
  if (!needed) return judged;
  judged.is_measured = true;
  judged.is_complete = (*best)["done"] == (*best)["planned"];
  judged.margin = std::round(1e6 * (mean - *needed)) / 1e6;  // no more than rounding errors of a mean
  judged.is_met = target.contains("above") ? judged.margin > 0 : judged.margin >= 0;
  const std::string where =
      block["name"] == "" ? column : concat(block["name"].get<std::string>(), ", ", column);
  judged.text = concat(where, ": ", (*best_row)["name"].get<std::string>(), " ", number(mean), " (",
                       (*best)["runs"].get<std::string>(), ") against ", number(*needed));
  return judged;
}

}  // namespace

bool is_target(const Json& targets, const PlannedTable& table, const std::string& block,
               const std::string& row, const std::string& column) {
  return std::any_of(targets.begin(), targets.end(), [&](const Json& target) {
    const Json rules = rules_of(target);
    const bool is_row =
        lists(target, "rows", row) || std::find(rules.begin(), rules.end(), row) != rules.end();
    return target.at("table") == table.name &&
           target.at("protocol") == std::string(name_of(table.protocol)) && is_row &&
           lists(target, "blocks", block) && is_column_of(target, column);
  });
}

Json judge_targets(const Json& targets, const Json& report) {
  Json all = Json::array();
  for (const Json& target : targets) {
    if (target.at("protocol") != report["protocol"]) continue;
    for (const Json& table : report["tables"]) {
      if (target.at("table") != table["name"]) continue;
      int cells = 0, measured = 0, met = 0, complete = 0;
      std::optional<Judged> worst;
      for (const Json& block : table["blocks"]) {
        if (!lists(target, "blocks", block["name"])) continue;
        for (const Json& column : table["columns"]) {
          if (!is_column_of(target, column)) continue;
          ++cells;
          const Judged judged = judge(target, block, column);
          measured += judged.is_measured;
          met += judged.is_met;
          complete += judged.is_complete;
          if (judged.is_measured && (!worst || judged.margin < worst->margin)) worst = judged;
        }
      }
      all.push_back({{"says", target.at("says")},
                     {"cells", cells},
                     {"measured", measured},
                     {"met", met},
                     {"complete", complete},
                     {"state", met < measured                   ? "missed"
                               : measured < cells || cells == 0 ? "open"
                               : complete < cells               ? "met so far"
                                                                : "met"},
                     {"worst", worst ? Json(worst->text) : Json(nullptr)}});
    }
  }
  return all;
}

}  // namespace gsan::app
