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
  bool is_measured = false, is_met = false;
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

// One cell: the best of the rows against what is asked for.
Judged judge(const Json& target, const Json& block, const std::string& column) {
  Judged judged;
  const Json *best = nullptr, *best_row = nullptr;
  std::optional<double> needed;
  const Json rules = rules_of(target);
  bool has_rules = true;
  for (const Json& row : block["rows"]) {
    const Json* cell = cell_of(row, column);
    if (cell == nullptr) continue;
    const bool is_rule = std::find(rules.begin(), rules.end(), row["name"]) != rules.end();
    const Json& mean = (*cell)["mean"];
    if (is_rule && mean.is_number()) {
      double level = mean.get<double>();
      if (target.contains("within_one_sd_of"))
        level -= (*cell)["sd"].is_number() ? (*cell)["sd"].get<double>() : 0;
      needed = std::max(needed.value_or(level), level);
    } else if (is_rule) {
      has_rules = false;
    }
    if (!lists(target, "rows", row["name"])) continue;
    if (target.value("at_least", Json()) == "printed" && (*cell)["printed"].is_object())
      needed = (*cell)["printed"]["mean"].get<double>();
    if (!mean.is_number()) continue;
    if (best == nullptr || is_better(*cell, *best)) best = cell, best_row = &row;
  }
  if (target.contains("at_least") && target["at_least"].is_object())
    needed = target["at_least"][column].get<double>();
  if (best == nullptr || !needed || !has_rules) return judged;
  const double mean = (*best)["mean"].get<double>();
  judged.is_measured = true;
  judged.margin = mean - *needed;
  if (target.contains("at_least"))
    judged.margin = std::round(10 * judged.margin) / 10;  // as many digits as printed
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
      int cells = 0, measured = 0, met = 0;
      std::optional<Judged> worst;
      for (const Json& block : table["blocks"]) {
        if (!lists(target, "blocks", block["name"])) continue;
        for (const Json& column : table["columns"]) {
          if (!is_column_of(target, column)) continue;
          ++cells;
          const Judged judged = judge(target, block, column);
          measured += judged.is_measured;
          met += judged.is_met;
          if (judged.is_measured && (!worst || judged.margin < worst->margin)) worst = judged;
        }
      }
      all.push_back({{"says", target.at("says")},
                     {"cells", cells},
                     {"measured", measured},
                     {"met", met},
                     {"state", met < measured                   ? "missed"
                               : measured == cells && cells > 0 ? "met"
                                                                : "open"},
                     {"worst", worst ? Json(worst->text) : Json(nullptr)}});
    }
  }
  return all;
}

}  // namespace gsan::app
