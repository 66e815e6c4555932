#include "apps/gsan/console/run_report.h"

#include <algorithm>
#include <cmath>

#include "gsan/report/metric_values.h"
#include "gsan/report/paper_figures.h"
#include "gsan/train/progress.h"

#include "apps/gsan/console/table.h"

namespace gsan::app {

using report::show_metric;

namespace {

constexpr std::size_t most_confusion_columns = 12;  // of a terminal; `gsan plot confusion` draws larger ones

const double* find(const Metrics& metrics, const std::string& name) {
  const auto found =
      std::find_if(metrics.begin(), metrics.end(), [&](const auto& entry) { return entry.first == name; });
  return found == metrics.end() ? nullptr : &found->second;
}

// The headline first.
std::vector<std::string> metric_names(const RunRecord& record) {
  std::vector<std::string> names{record.headline_metric};
  for (const auto& [name, value] : record.test)
    if (name != record.headline_metric) names.push_back(name);
  return names;
}

std::vector<std::string> row(const std::string& name, const Metrics& metrics,
                             const std::vector<std::string>& columns) {
  std::vector<std::string> cells{name};
  for (const std::string& column : columns) {
    const double* value = find(metrics, column);
    cells.push_back(value == nullptr ? "-" : show_metric(*value));
  }
  return cells;
}

}  // namespace

Json metrics_json(const Metrics& metrics) {
  Json object = Json::object();
  for (const auto& [name, value] : metrics) object[name] = std::isfinite(value) ? Json(value) : Json(nullptr);
  return object;
}

std::string details_table(const MetricDetails& details, const std::string& part) {
  Table metrics({"metric", part});
  for (const auto& [name, value] : details.metrics) metrics.add({name, show_metric(value)});
  std::string text = metrics.text();
  if (details.classes.empty()) return text;
  const auto shown = [](double value) { return std::isnan(value) ? "-" : show_metric(value); };
  Table classes({"class", "items", "precision", "recall", "f1"});
  for (const ClassScores& one : details.classes)
    classes.add(
        {one.name, std::to_string(one.count), shown(one.precision), shown(one.recall), shown(one.f1)});
  text += "\n" + classes.text();
  if (!details.confusion || details.classes.size() > most_confusion_columns) return text;
  std::vector<std::string> header{"true class / answer"};
  header.insert(header.end(), details.confusion->classes.begin(), details.confusion->classes.end());
  Table confusion(header);
  for (std::size_t truth = 0; truth < details.classes.size(); ++truth) {
    std::vector<std::string> row{details.classes[truth].name};
    for (std::size_t answer = 0; answer < details.classes.size(); ++answer)
      row.push_back(std::to_string(details.confusion->count(truth, answer)));
    confusion.add(std::move(row));
  }
  return text + "\n" + confusion.text();
}

Json run_json(const std::filesystem::path& run, const RunRecord& record, const RunSettings& settings) {
  Json report{{"command", "train"}, {"run", run.string()}};
  report.update(Json::parse(record_text(record)));
  report["paper"] = nullptr;
  if (const auto figure = report::paper_figure(settings))
    report["paper"] = {{"row", figure->row},
                       {"column", figure->column},
                       {"mean", figure->mean},
                       {"deviation", figure->deviation},
                       {"misprint", figure->is_misprint}};
  return report;
}

std::string orientation_text(const ModelSpec& model) {
  const OptionMap options = model.backbone.map();
  const auto found = options.find("incidence");
  if (found == options.end()) return "";
  return found->second == name_of(IncidenceKind::absolute)
             ? "computed without signs, as for counts and features (model.incidence=unsigned)\n"
             : "computed with signs, as for flows (model.incidence=signed)\n";
}

std::string run_text(const std::filesystem::path& run, const RunRecord& record, const RunSettings& settings) {
  const std::vector<std::string> columns = metric_names(record);
  std::vector<std::string> header{"on the test part"};
  header.insert(header.end(), columns.begin(), columns.end());
  Table table(header);
  table.add(row(record.model, record.test, columns));
  for (const RuleResult& rule : record.rules) table.add(row(rule.name, rule.metrics, columns));
  const auto figure = report::paper_figure(settings);
  if (figure) {
    std::vector<std::string> cells{
        concat("printed in the paper, ", figure->row, figure->is_misprint ? " (misprint)" : "")};
    cells.push_back(concat(show_metric(figure->mean), " +- ", show_metric(figure->deviation)));
    cells.resize(columns.size() + 1, "-");
    table.add(cells);
  }
  const double* chosen = find(record.validation, record.choosing_metric);
  std::string text = concat(
      record.task, " on ", record.data, ", protocol ", record.protocol, ", seed ", record.seed, "\n",
      record.parameters, " parameters, ", record.epochs, " epochs in ", duration_text(record.seconds),
      record.end == "early_stopped" ? " (stopped early)" : "", "; best epoch ", record.best_epoch + 1,
      chosen == nullptr ? ""
                        : concat(" (validation ", record.choosing_metric, " ", show_metric(*chosen), ")"),
      "\n", record.split.empty() ? "" : concat("split ", record.split, "\n"),
      orientation_text(settings.model), table.text());
  if (figure && settings.task.protocol == Protocol::strict)
    text += "The paper's figure was made under the published protocol; this run is strict.\n";
  if (figure && figure->is_misprint)
    text += "The printed cell repeats another cell of the table: a misprint.\n";
  for (const std::string& remark : record.remarks) text += concat("published: ", remark, "\n");
  for (const std::string& note : record.notes) text += note + "\n";
  for (const std::string& warning : record.warnings) text += concat("warning: ", warning, "\n");
  return text + concat("run folder: ", run.string(), "\n");
}

}  // namespace gsan::app
