// What the model answers: confusion matrix, worst items, attention, decomposed signals.

#include <cmath>
#include <cstdio>

#include "gsan/core/text.h"
#include "gsan/plot/histogram.h"
#include "gsan/plot/matrix_chart.h"
#include "gsan/report/html/cards.h"
#include "gsan/report/html/markup.h"
#include "gsan/report/metric_values.h"

namespace gsan::report::html {
namespace {

std::string percent(double part, double whole = 1) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", percent_of(part, whole));
  return text;
}

std::string set_name(Phase phase) {
  return phase == Phase::train ? "training set" : concat(name_of(phase), " set");
}

constexpr std::size_t most_drawn_classes = 40;

// Computed anew; else what the run recorded of its test set.
const MetricDetails* details_of(const ReportedRun& run) {
  if (run.evaluation.details) return &*run.evaluation.details;
  const bool is_recorded = run.facts.record && run.facts.record->test_details;
  return is_recorded ? &*run.facts.record->test_details : nullptr;
}

std::string defined(double value) { return std::isnan(value) ? "–" : show_metric(value); }

}  // namespace

std::optional<Card> details_card(const ReportedRun& run) {
  const MetricDetails* details = details_of(run);
  if (details == nullptr || details->metrics.empty()) return std::nullopt;
  std::string body =
      paragraph(concat("All numbers of the ", set_name(run.evaluation.phase),
                       details->order < 0 ? "" : concat(", of simplices of order ", details->order),
                       ". Shares are in per cent."));
  HtmlTable metrics{{"metric", "value"}, {}};
  for (const auto& [name, value] : details->metrics) metrics.rows.push_back({{name, defined(value)}});
  body += table(metrics);
  if (!details->classes.empty()) {
    HtmlTable classes{{"class", "items", "precision", "recall", "F1"}, {}};
    for (const ClassScores& one : details->classes)
      classes.rows.push_back({{one.name, std::to_string(one.count), defined(one.precision),
                               defined(one.recall), defined(one.f1)}});
    body += heading("Each class") + table(classes);
  }
  return Card{"details", "All metrics", body};
}

std::optional<Card> confusion_card(const ReportedRun& run) {
  const MetricDetails* details = details_of(run);
  if (details == nullptr || !details->confusion) return std::nullopt;
  const ConfusionMatrix& matrix = *details->confusion;
  const std::string says = concat(matrix.correct(), " of ", matrix.total(), " items of the ",
                                  set_name(run.evaluation.phase), " are correct.");
  if (matrix.classes.size() > most_drawn_classes)
    return Card{"confusion", "Confusion matrix",
                paragraph(concat(says, " The matrix of ", matrix.classes.size(),
                                 " classes is too large for a page: `gsan predict` lists every answer."))};
  ChartOptions options;
  options.x_label = "answer of the model", options.y_label = "true class";
  options.width = matrix.classes.size() <= 8 ? 440 : 640;
  const std::vector<double> counts(matrix.counts.begin(), matrix.counts.end());
  return Card{"confusion", "Confusion matrix",
              paragraph(says) + figure({matrix_chart(matrix.classes, matrix.classes, counts, options),
                                        {},
                                        {},
                                        matrix.classes.size() > 8})};
}

std::optional<Card> worst_items_card(const ReportedRun& run) {
  if (run.evaluation.worst.empty()) return std::nullopt;
  bool has_confidence = false;
  for (const JudgedItem& item : run.evaluation.worst)
    has_confidence = has_confidence || std::isfinite(item.confidence);
  HtmlTable shown{{"item", "truth", "answer"}, {}};
  if (has_confidence) shown.header.push_back("confidence");
  shown.header.push_back("loss");
  for (const JudgedItem& item : run.evaluation.worst) {
    Row row{{item.name, item.truth, item.answer}};
    if (has_confidence) row.cells.push_back(percent(item.confidence));
    row.cells.push_back(show_metric(item.loss));
    shown.rows.push_back(std::move(row));
  }
  return Card{"worst", "Worst items",
              paragraph(concat(
                  "The items of the ", set_name(run.evaluation.phase),
                  " with the largest loss, those that the model is most confidently wrong about first.")) +
                  table(shown)};
}

std::optional<Card> attention_card(const ReportedRun& run) {
  if (run.evaluation.attention.empty()) return std::nullopt;
  std::vector<Figure> shown;
  for (const AttentionValues& values : run.evaluation.attention) {
    ChartOptions options;
    options.title = values.name;
    options.x_label = "attention weight", options.y_label = "pairs";
    options.width = 440, options.height = 260;
    const bool is_part = values.receivers < values.all_receivers;
    shown.push_back(
        {histogram(values.weights, 20, options),
         concat(
             values.weights.size(), " pairs",
             is_part ? concat(", of ", values.receivers, " of ", values.all_receivers, " simplices") : "")});
  }
  return Card{
      "attention", "Attention",
      paragraph("Weights that simplices give to their neighbours, for one item. Equal weights 1/n mean that "
                "the layer averages over n neighbours.") +
          figures(shown)};
}

std::optional<Card> decomposition_card(const ReportedRun& run) {
  if (run.evaluation.decompositions.empty()) return std::nullopt;
  std::string body =
      paragraph(concat("Signals on the complex and their Hodge decomposition: signal = gradient + curl + "
                       "harmonic. The harmonic part "
                       "flows around holes. Each picture has the ",
                       most_arrows, " largest values."));
  for (const DecomposedItem& item : run.evaluation.decompositions) {
    std::vector<Figure> shown;
    for (const std::string& picture : item.pictures) shown.push_back({picture});
    body += heading(item.truth.empty() ? item.name : concat(item.name, ", ", item.truth)) + figures(shown);
    body += paragraph(concat("Energy ", show_metric(item.energy), ": gradient ",
                             percent(item.gradient, item.energy), ", curl ", percent(item.curl, item.energy),
                             ", harmonic ", percent(item.harmonic, item.energy), "."),
                      "muted");
  }
  return Card{"decomposition", "Signals and their parts", body};
}

}  // namespace gsan::report::html
