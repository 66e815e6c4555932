#include <algorithm>
#include <cmath>

#include "gsan/plot/line_chart.h"
#include "gsan/report/html/cards.h"
#include "gsan/report/html/markup.h"

namespace gsan::report::html {
namespace {

// The curves of one metric: of every run and part.
struct Chart {
  std::string metric;
  std::vector<Curve> curves{};
};

Chart& chart_of(std::vector<Chart>& charts, const std::string& metric) {
  for (Chart& chart : charts)
    if (chart.metric == metric) return chart;
  return charts.emplace_back(Chart{metric});
}

// Losses that span decades are read on a logarithmic axis.
bool spans_decades(const Chart& chart) {
  double least = 0, most = 0;
  bool is_first = true;
  for (const Curve& curve : chart.curves)
    for (const double y : curve.y) {
      if (!std::isfinite(y)) continue;
      if (y <= 0) return false;
      least = is_first ? y : std::min(least, y), most = is_first ? y : std::max(most, y);
      is_first = false;
    }
  return !is_first && most > 50 * least;
}

}  // namespace

std::optional<Card> curves_card(std::span<const ReportedRun> runs) {
  std::vector<Chart> charts;
  for (const ReportedRun& run : runs)
    for (const RunCurve& curve : run.facts.curves) {
      const auto [part, metric] = part_and_metric(curve.metric);
      const std::string of_run = runs.size() == 1 ? "" : run.facts.name;
      const std::string name = of_run.empty() ? (part.empty() ? metric : part)
                               : part.empty() ? of_run
                                              : concat(of_run, ", ", part);
      chart_of(charts, metric)
          .curves.push_back({.name = name,
                             .x = curve.epochs,
                             .y = curve.values,
                             .dashed = !of_run.empty() && part == "train",
                             .dots = curve.epochs.size() <= 40});
    }
  if (charts.empty()) return std::nullopt;
  // What is trained comes before the schedule.
  std::stable_partition(charts.begin(), charts.end(),
                        [](const Chart& chart) { return chart.metric != "learning_rate"; });
  std::vector<Figure> shown;
  for (const Chart& chart : charts) {
    ChartOptions options;
    options.title = chart.metric;
    options.x_label = "epoch";
    options.whole_x = true;
    options.log_y = spans_decades(chart);
    options.width = 440, options.height = 300;
    shown.push_back({line_chart(chart.curves, options), {}, "epoch"});
  }
  std::string body = figures(shown);
  if (runs.size() == 1 && runs.front().facts.record && runs.front().facts.record->best_epoch >= 0)
    body += paragraph(
        concat("The weights of epoch ", runs.front().facts.record->best_epoch + 1, " were kept."), "muted");
  return Card{"curves", "Training curves", body};
}

}  // namespace gsan::report::html
