// Metrics beside the rules, and of several runs beside each other.

#include <algorithm>
#include <cmath>

#include "gsan/plot/bar_chart.h"
#include "gsan/report/html/cards.h"
#include "gsan/report/html/markup.h"
#include "gsan/report/metric_values.h"
#include "gsan/report/paper_figures.h"

namespace gsan::report::html {
namespace {

using Names = std::vector<std::string>;

// The headline first, then in the order of appearance.
void add_names(const Metrics& metrics, Names& names) {
  for (const auto& [name, value] : metrics)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::string shown(const Metrics& metrics, const std::string& name) {
  for (const auto& [known, value] : metrics)
    if (known == name) return show_metric(value);
  return "–";
}

Row row(const std::string& name, const Metrics& metrics, const Names& columns, bool is_own) {
  Row row{{name}, is_own};
  for (const std::string& column : columns) row.cells.push_back(shown(metrics, column));
  return row;
}

Row printed_row(const PaperFigure& figure, std::size_t columns) {
  Row row{{concat("printed in the paper: ", figure.row, figure.is_misprint ? " (misprint)" : "")}};
  row.cells.push_back(concat(show_metric(figure.mean), " ± ", show_metric(figure.deviation)));
  row.cells.resize(columns + 1, Cell("–"));
  return row;
}

// The headline of the model, of every rule and of the paper.
std::string bars(const RunRecord& record, const std::optional<PaperFigure>& printed) {
  const std::string& metric = record.headline_metric;
  std::vector<Bar> bars{{record.model, metric_value(record.test, metric), 0, 0}};
  for (const RuleResult& rule : record.rules)
    bars.push_back({rule.name, metric_value(rule.metrics, metric), 0, 7});
  if (printed) bars.push_back({concat("printed: ", printed->row), printed->mean, printed->deviation, 1});
  ChartOptions options;
  options.x_label = concat(metric, " on the test set");
  return figure({bar_chart(bars, options), {}, {}, /*is_wide=*/true});
}

// What a run has of a metric on the test set, else on the validation set.
std::string summary(const ReportedRun& run, bool test, const std::string& name) {
  if (!run.facts.record) return "–";
  return shown(test ? run.facts.record->test : run.facts.record->validation, name);
}

}  // namespace

std::optional<Card> metrics_card(const ReportedRun& run) {
  if (!run.facts.record) return std::nullopt;
  const RunRecord& record = *run.facts.record;
  Names columns{record.headline_metric};
  add_names(record.test, columns);
  add_names(record.validation, columns);
  HtmlTable shown_table{{""}, {}};
  shown_table.header.insert(shown_table.header.end(), columns.begin(), columns.end());
  std::string body;
  if (record.test.empty()) {
    body = paragraph(
        "There is no test set: the numbers are those of the validation set, which chose the epoch.");
  } else {
    std::optional<PaperFigure> printed;
    if (run.facts.settings) printed = paper_figure(*run.facts.settings);
    body = bars(record, printed);
    shown_table.rows.push_back(row(concat(record.model, ", test set"), record.test, columns, true));
    for (const RuleResult& rule : record.rules)
      shown_table.rows.push_back(row(rule.name, rule.metrics, columns, false));
    if (printed) shown_table.rows.push_back(printed_row(*printed, columns.size()));
  }
  if (record.validation.empty()) {
    body += paragraph("The run has no validation set: no epoch was chosen by it.", "muted");
  } else {
    shown_table.rows.push_back(
        row(concat(record.model, ", validation set"), record.validation, columns, record.test.empty()));
  }
  if (!shown_table.rows.empty()) body += table(shown_table);
  if (!record.rules.empty())
    body += paragraph("Rules are simple answers without the model, fitted on the training set.", "muted");
  return Card{"metrics", "Metrics beside the rules", body};
}

Card comparison_card(std::span<const ReportedRun> runs) {
  Names test, validation, rules;
  for (const ReportedRun& run : runs) {
    if (!run.facts.record) continue;
    add_names(run.facts.record->test, test);
    add_names(run.facts.record->validation, validation);
    for (const RuleResult& rule : run.facts.record->rules)
      if (std::find(rules.begin(), rules.end(), rule.name) == rules.end()) rules.push_back(rule.name);
  }
  HtmlTable shown_table{{""}, {}};
  const auto add = [&](const std::string& name, bool is_own, const auto& text_of) {
    Row row{{name}, is_own};
    for (const ReportedRun& run : runs) row.cells.push_back(Cell(text_of(run)));
    shown_table.rows.push_back(std::move(row));
  };
  for (const ReportedRun& run : runs) shown_table.header.push_back(run.facts.name);
  add("model", false, [](const ReportedRun& run) {
    return run.facts.settings ? run.facts.settings->model.name : std::string("–");
  });
  for (const std::string& name : test)
    add(concat(name, ", test set"), name == test.front(),
        [&](const ReportedRun& run) { return summary(run, true, name); });
  for (const std::string& name : validation)
    add(concat(name, ", validation set"), false,
        [&](const ReportedRun& run) { return summary(run, false, name); });
  for (const std::string& rule : rules)
    add(concat("rule: ", rule), false, [&](const ReportedRun& run) -> std::string {
      if (!run.facts.record) return "–";
      for (const RuleResult& known : run.facts.record->rules)
        if (known.name == rule) return shown(known.metrics, run.facts.record->headline_metric);
      return "–";
    });
  add("parameters", false, [](const ReportedRun& run) {
    return run.facts.record ? concat(run.facts.record->parameters) : std::string("–");
  });
  add("epochs", false, [](const ReportedRun& run) { return concat(run.facts.epochs()); });
  add("state", false, [](const ReportedRun& run) { return run.facts.manifest.status; });
  return {"comparison", "Metrics", table(shown_table)};
}

std::optional<Card> differences_card(std::span<const ReportedRun> runs) {
  std::vector<std::vector<std::pair<std::string, std::string>>> all;
  Names keys;
  for (const ReportedRun& run : runs) {
    all.push_back(run.facts.settings ? settings_of(*run.facts.settings)
                                     : std::vector<std::pair<std::string, std::string>>());
    for (const auto& [key, value] : all.back())
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  HtmlTable shown_table{{"key"}, {}};
  for (const ReportedRun& run : runs) shown_table.header.push_back(run.facts.name);
  for (const std::string& key : keys) {
    Row row{{key}};
    bool differ = false;
    for (const auto& settings : all) {
      const auto found = std::find_if(settings.begin(), settings.end(),
                                      [&](const auto& entry) { return entry.first == key; });
      row.cells.push_back(Cell(found == settings.end() ? "–" : found->second));
      differ = differ || row.cells.back().text != row.cells[1].text;
    }
    if (differ) shown_table.rows.push_back(std::move(row));
  }
  if (shown_table.rows.empty())
    return Card{"differences", "Settings that differ", paragraph("None: all runs have the same settings.")};
  return Card{"differences", "Settings that differ", table(shown_table)};
}

}  // namespace gsan::report::html
