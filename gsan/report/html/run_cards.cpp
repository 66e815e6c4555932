// What was trained, what is missing, how to repeat it, with what it was made.

#include "gsan/models/registry.h"
#include "gsan/report/html/cards.h"
#include "gsan/report/html/markup.h"
#include "gsan/report/metric_values.h"
#include "gsan/report/paper_figures.h"
#include "gsan/tasks/task_kinds.h"
#include "gsan/train/progress.h"

namespace gsan::report::html {
namespace {

// The rule with the best headline; nullptr where there is none.
const RuleResult* best_rule(const RunRecord& record) {
  const RuleResult* best = nullptr;
  for (const RuleResult& rule : record.rules) {
    const double value = metric_value(rule.metrics, record.headline_metric);
    const double least = best == nullptr ? value : metric_value(best->metrics, record.headline_metric);
    if (!std::isfinite(value)) continue;
    if (best == nullptr || (is_error_metric(record.headline_metric) ? value < least : value > least))
      best = &rule;
  }
  return best;
}

std::string headline_tiles(const RunRecord& record, const std::optional<PaperFigure>& printed) {
  std::vector<Tile> shown;
  const std::string& metric = record.headline_metric;
  if (const double value = metric_value(record.test, metric); !std::isnan(value))
    shown.push_back({show_metric(value), concat(metric, " on the test set")});
  if (const double value = metric_value(record.validation, metric); !std::isnan(value))
    shown.push_back({show_metric(value), concat(metric, " on the validation set")});
  if (const RuleResult* rule = best_rule(record))
    shown.push_back({show_metric(metric_value(rule->metrics, metric)), concat("best rule: ", rule->name)});
  if (printed)
    shown.push_back(
        {concat(show_metric(printed->mean), " ± ", show_metric(printed->deviation)),
         concat("printed in the paper, ", printed->row, printed->is_misprint ? " (misprint)" : "")});
  return shown.empty() ? "" : tiles(shown);
}

// "GNU 12.2.0" and the like may be unknown.
std::string known(const std::string& text) { return text.empty() ? "not known" : text; }

std::string data_text(const DataSettings& data) {
  return data.path.empty() ? data.name : concat(data.name, " (", data.path, ")");
}

}  // namespace

std::optional<Card> missing_card(const ReportedRun& run) {
  std::vector<std::string> sentences = run.facts.missing;
  sentences.insert(sentences.end(), run.evaluation.missing.begin(), run.evaluation.missing.end());
  if (sentences.empty()) return std::nullopt;
  return Card{"missing", "What this page lacks", list(sentences), true};
}

std::optional<Card> warnings_card(const ReportedRun& run) {
  if (!run.facts.record || run.facts.record->warnings.empty()) return std::nullopt;
  return Card{"warnings", "Warnings", list(run.facts.record->warnings), true};
}

Card result_card(const ReportedRun& run) {
  const RunFacts& facts = run.facts;
  std::string body;
  std::optional<PaperFigure> printed;
  if (facts.settings) printed = paper_figure(*facts.settings);
  if (facts.record) body += headline_tiles(*facts.record, printed);
  Facts lines;
  if (facts.settings) {
    const RunSettings& settings = *facts.settings;
    const TaskKind& task = find_task(settings.task.name);
    lines.push_back({"Task", concat(settings.task.name, ": ", task.sentence)});
    lines.push_back({"Data", data_text(settings.task.data)});
    lines.push_back({"Model", settings.model.name});
    for (const Preset& preset : all_presets())
      if (preset.name == settings.model.name) {
        lines.push_back({"Equation", std::string(preset.equation)});
        lines.push_back({"Publication", std::string(preset.citation)});
      }
    lines.push_back({"Protocol", settings.task.is_published()
                                     ? "published: repeats what is behind the printed numbers"
                                     : "strict: free of leaks; the test set was looked at once, at the end"});
    lines.push_back({"Seed", concat(settings.seed)});
  }
  if (facts.record) {
    const RunRecord& record = *facts.record;
    if (!record.split.empty()) lines.push_back({"Split", record.split});
    lines.push_back({"Parameters", concat(record.parameters)});
    lines.push_back({"Training", concat(record.epochs, " epochs in ", duration_text(record.seconds),
                                        record.end == "early_stopped" ? ", stopped early" : "")});
    lines.push_back(
        {"Weights", concat("of epoch ", record.best_epoch + 1,
                           record.choosing_metric.empty()
                               ? ""
                               : concat(", chosen by ", record.choosing_metric, " on the validation set"))});
  } else {
    lines.push_back({"State", facts.manifest.status});
    lines.push_back({"Epochs so far", concat(facts.epochs())});
  }
  body += html::facts(lines);
  if (printed && facts.settings && !facts.settings->task.is_published())
    body +=
        paragraph("The paper's number was made under the published protocol; this run is strict.", "muted");
  if (facts.record && !facts.record->remarks.empty())
    body += heading("What the protocol does that a clean one would not") + list(facts.record->remarks);
  if (facts.record && !facts.record->notes.empty())
    body += heading("What the model is given") + list(facts.record->notes);
  return {"result", facts.record ? "Result" : "The run", body};
}

std::optional<Card> repeat_card(const ReportedRun& run) {
  if (!run.facts.settings) return std::nullopt;
  return Card{
      "repeat", "Repeat it",
      copyable(repeat_command(run.facts)) + folded("The complete config", to_yaml(*run.facts.settings))};
}

Card environment_card(const ReportedRun& run) {
  const Manifest& manifest = run.facts.manifest;
  Facts lines{{"gsan", manifest.gsan},
              {"Revision", known(manifest.git_revision)},
              {"torch", manifest.torch},
              {"Compiler", known(manifest.compiler)},
              {"Seed", concat(manifest.seed)},
              {"Device", concat(manifest.device, ", threads: ", manifest.threads)},
              {"Started", known(manifest.started)},
              {"Ended", manifest.ended.empty() ? "not yet" : manifest.ended},
              {"Sessions", concat(manifest.sessions)},
              {"Run folder", run.facts.path.string()}};
  for (const SettingChange& change : manifest.changes)
    lines.push_back({"Changed", concat(change.key, " from ", change.from, " to ", change.to, " after ",
                                       change.epochs, " epochs, ", change.time)});
  if (const WeightsOrigin& origin = manifest.first_weights; !origin.path.empty()) {
    lines.push_back({"Started from", origin.path});
    lines.push_back({"SHA-256 of these weights", origin.sha256});
  }
  for (const auto& [name, hash] : manifest.data) lines.push_back({concat("SHA-256 of ", name), hash});
  return {"environment", "Environment", html::facts(lines)};
}

}  // namespace gsan::report::html
