#include "gsan/report/targets.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

namespace gsan::report {
namespace {

bool holds(const Texts& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// An empty list is everything.
bool lists(const Texts& names, const std::string& name) { return names.empty() || holds(names, name); }

// The rules that the rows are compared with.
const Texts& rules_of(const Target& target) {
  return target.above.empty() ? target.within_one_sd_of : target.above;
}

bool is_column_of(const Target& target, const std::string& column) {
  return (target.at_least.empty() || target.at_least.contains(column)) && lists(target.columns, column);
}

struct Judged {
  bool is_measured = false, is_met = false, is_complete = false;
  double margin = 0;  // above what is asked for
  std::string text;
};

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

// More runs first (a lucky seed is no mean), then the mean.
bool is_better(const MeasuredCell& cell, const MeasuredCell& other) {
  return cell.done != other.done ? cell.done > other.done : cell.mean > other.mean;
}

// The mean over the seeds that both have: one mask or split differs from the next by more than models do.
std::optional<double> mean_over_common_seeds(const MeasuredCell& cell, const MeasuredCell& other) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < cell.seeds.size(); ++i) {
    if (std::find(other.seeds.begin(), other.seeds.end(), cell.seeds[i]) == other.seeds.end()) continue;
    sum += cell.values[i];
    ++count;
  }
  return count == 0 ? std::nullopt : std::optional(sum / count);
}

// The rows of one line of a target.
struct Line {
  std::string name;
  bool with_variants = true, with_others = true;

  bool holds(const Target& target, const MeasuredRow& row) const {
    return lists(target.rows, row.name) && (row.kind == RowKind::variant ? with_variants : with_others);
  }
};

std::vector<Line> lines_of(const Target& target, const MeasuredTable& table) {
  bool has_variant = false, has_other = false;
  for (const MeasuredBlock& block : table.blocks)
    for (const MeasuredRow& row : block.rows)
      if (lists(target.rows, row.name)) (row.kind == RowKind::variant ? has_variant : has_other) = true;
  if (!has_variant || !has_other) return {{.name = ""}};
  return {{.name = "as printed", .with_variants = false}, {.name = "best variant", .with_others = false}};
}

// What is asked for whatever the rules say: of a cell's own column, or printed in a row of the target.
std::optional<double> asked_level(const Target& target, const MeasuredBlock& block,
                                  const std::string& column) {
  if (const auto found = target.at_least.find(column); found != target.at_least.end()) return found->second;
  if (!target.at_least_printed) return std::nullopt;
  std::optional<double> level;
  for (const MeasuredRow& row : block.rows)
    if (const MeasuredCell* cell = row.cell(column);
        cell != nullptr && cell->printed && lists(target.rows, row.name))
      level = cell->printed->mean;
  return level;
}

// One cell: the best of the rows against what is asked for.
Judged judge(const Target& target, const Line& line, const MeasuredBlock& block, const std::string& column) {
  Judged judged;
  const MeasuredCell* best = nullptr;
  const MeasuredRow* best_row = nullptr;
  std::vector<const MeasuredCell*> rules;
  for (const MeasuredRow& row : block.rows) {
    const MeasuredCell* cell = row.cell(column);
    if (cell == nullptr) continue;
    if (holds(rules_of(target), row.name)) rules.push_back(cell);
    if (!line.holds(target, row) || !cell->is_measured()) continue;
    if (best == nullptr || is_better(*cell, *best)) best = cell, best_row = &row;
  }
  if (best == nullptr) return judged;
  std::optional<double> needed = asked_level(target, block, column);
  double mean = best->mean;
  for (const MeasuredCell* rule : rules) {
    const auto level = mean_over_common_seeds(*rule, *best), own = mean_over_common_seeds(*best, *rule);
    if (!level || !own) return judged;
    const double asked = *level - (target.within_one_sd_of.empty() ? 0 : rule->sd.value_or(0));
    if (!needed || *own - asked < mean - *needed) mean = *own, needed = asked;
  }
  if (!needed) return judged;
  judged.is_measured = true;
  judged.is_complete = best->done == best->planned;
  judged.margin = std::round(1e6 * (mean - *needed)) / 1e6;  // no more than rounding errors of a mean
  judged.is_met = target.above.empty() ? judged.margin >= 0 : judged.margin > 0;
  const std::string where = block.name.empty() ? column : concat(block.name, ", ", column);
  judged.text =
      concat(where, ": ", best_row->name, " ", number(mean), " (", best->runs, ") against ", number(*needed));
  return judged;
}

JudgedTarget judge_line(const Target& target, const Line& line, const MeasuredTable& table) {
  JudgedTarget all{.says = target.says, .line = line.name, .state = {}, .worst = {}};
  std::optional<Judged> worst;
  for (const MeasuredBlock& block : table.blocks) {
    if (!lists(target.blocks, block.name)) continue;
    for (const std::string& column : table.columns) {
      if (!is_column_of(target, column)) continue;
      ++all.cells;
      const Judged judged = judge(target, line, block, column);
      all.measured += judged.is_measured;
      all.met += judged.is_met;
      all.complete += judged.is_complete;
      if (judged.is_measured && (!worst || judged.margin < worst->margin)) worst = judged;
    }
  }
  all.state = all.met < all.measured                       ? "missed"
              : all.measured < all.cells || all.cells == 0 ? "open"
              : all.complete < all.cells                   ? "met so far"
                                                           : "met";
  if (worst) all.worst = worst->text;
  return all;
}

}  // namespace

bool is_target(const std::vector<Target>& targets, const PlannedTable& table, const std::string& block,
               const std::string& row, const std::string& column) {
  return std::any_of(targets.begin(), targets.end(), [&](const Target& target) {
    return target.table == table.name && target.protocol == table.protocol &&
           (lists(target.rows, row) || holds(rules_of(target), row)) && lists(target.blocks, block) &&
           is_column_of(target, column);
  });
}

std::vector<JudgedTarget> judge_targets(const std::vector<Target>& targets,
                                        const std::vector<MeasuredTable>& tables) {
  std::vector<JudgedTarget> all;
  for (const Target& target : targets)
    for (const MeasuredTable& table : tables)
      if (target.table == table.name && target.protocol == table.protocol)
        for (const Line& line : lines_of(target, table)) all.push_back(judge_line(target, line, table));
  return all;
}

std::vector<std::vector<std::string>> shown_targets(const std::vector<JudgedTarget>& targets) {
  std::vector<std::vector<std::string>> rows{
      {"target", "by", "cells", "measured", "met", "state", "nearest to missing it, or farthest from it"}};
  for (const JudgedTarget& target : targets)
    rows.push_back({target.says, target.line.empty() ? "-" : target.line, std::to_string(target.cells),
                    std::to_string(target.measured), std::to_string(target.met), target.state,
                    target.worst.empty() ? "-" : target.worst});
  return rows;
}

}  // namespace gsan::report
