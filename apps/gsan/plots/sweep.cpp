// gsan plot sweep: what the trials of a sweep reached, over one of the keys that it varies.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "gsan/core/check.h"
#include "gsan/core/text.h"
#include "gsan/plot/bar_chart.h"
#include "gsan/plot/line_chart.h"
#include "gsan/report/metric_values.h"
#include "gsan/report/statistics.h"

#include "apps/gsan/plots/picture_output.h"
#include "apps/gsan/plots/plot.h"
#include "apps/gsan/runner/sweep_outcomes.h"

namespace gsan::app {
namespace {

struct SweepPlotWords {
  std::string folder, key, part = "validation", metric;
  bool log = false;
  PictureOptions picture;
};

// A trial at one value of the key.
struct Point {
  std::string value, group;  // group: the values of the other keys
  std::vector<double> results;
};

std::optional<double> number_in(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return {};
  return number;
}

std::vector<std::string> keys_of(const std::vector<SweepTrial>& trials) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : trials.front().keys) keys.push_back(key);
  return keys;
}

// What of a record is drawn, and its name.
std::string metric_of(const RunRecord& record, const SweepPlotWords& options) {
  if (!options.metric.empty()) return options.metric;
  return options.part == "validation" && !record.choosing_metric.empty() ? record.choosing_metric
                                                                         : record.headline_metric;
}

// A name that no record has is a mistake; one that is only missing yet is not.
void check_metric(const std::vector<SweepTrial>& trials, const SweepPlotWords& options) {
  std::set<std::string> names;
  for (const SweepTrial& trial : trials)
    for (const SweepOutcome& run : trial.runs)
      if (run.record)
        for (const auto& [name, value] : options.part == "test" ? run.record->test : run.record->validation)
          names.insert(name);
  GSAN_CHECK(options.metric.empty() || names.empty() || names.contains(options.metric),
             "--metric: no run of the sweep has a ", options.part, " metric '", options.metric,
             "'; there are ", joined(names));
}

std::vector<Point> points_of(const std::vector<SweepTrial>& trials, const SweepPlotWords& options,
                             std::string& metric) {
  std::vector<Point> points;
  for (const SweepTrial& trial : trials) {
    Point point;
    for (const auto& [key, value] : trial.keys) {
      if (key == options.key)
        point.value = value;
      else
        point.group += concat(point.group.empty() ? "" : ", ", key, "=", value);
    }
    for (const SweepOutcome& run : trial.runs) {
      if (!run.record) continue;
      metric = metric_of(*run.record, options);
      const double value =
          report::metric_value(options.part == "test" ? run.record->test : run.record->validation, metric);
      if (std::isfinite(value)) point.results.push_back(value);
    }
    if (!point.results.empty()) points.push_back(std::move(point));
  }
  return points;
}

// Numbers on an axis: every run is a dot, the means of a group are joined where it has several values.
std::string over_numbers(const std::vector<Point>& points, const SweepPlotWords& options,
                         const ChartOptions& chart) {
  std::map<std::string, std::vector<std::pair<double, const Point*>>> groups;
  for (const Point& point : points) groups[point.group].emplace_back(*number_in(point.value), &point);
  std::vector<Curve> curves;
  int series = 0;
  for (auto& [group, members] : groups) {
    std::stable_sort(members.begin(), members.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    const std::string name = group.empty() ? options.key : group;
    Curve runs{concat(name, ", runs"), {}, {}}, means{concat(name, ", mean"), {}, {}};
    for (const auto& [x, point] : members) {
      means.x.push_back(x), means.y.push_back(report::spread_of(point->results).mean);
      for (const double y : point->results) runs.x.push_back(x), runs.y.push_back(y);
    }
    runs.line = false, runs.dots = true;
    means.dashed = true;
    runs.series = means.series = series++;
    if (members.size() > 1) curves.push_back(std::move(means));
    curves.push_back(std::move(runs));
  }
  return line_chart(curves, chart);
}

std::string over_words(const std::vector<Point>& points, const ChartOptions& chart) {
  std::vector<Bar> bars;
  std::map<std::string, int> series;
  for (const Point& point : points) {
    const report::Spread spread = report::spread_of(point.results);
    const int color = series.emplace(point.group, static_cast<int>(series.size())).first->second;
    bars.push_back({point.group.empty() ? point.value : concat(point.value, ", ", point.group), spread.mean,
                    spread.sd, color});
  }
  return bar_chart(bars, chart);
}

ExitCode run(SweepPlotWords options) {
  options.picture.format();
  const std::vector<SweepTrial> trials = read_outcomes(options.folder);
  const std::vector<std::string> keys = trials.empty() ? std::vector<std::string>{} : keys_of(trials);
  GSAN_CHECK(!keys.empty(), options.folder,
             ": the sweep varies no key, only seeds; `gsan plot curves` draws its runs");
  if (options.key.empty()) options.key = keys.front();
  GSAN_CHECK(std::find(keys.begin(), keys.end(), options.key) != keys.end(), "--key: the sweep varies ",
             joined(keys), "; got '", options.key, "'");
  check_metric(trials, options);
  std::string metric = options.metric;
  const std::vector<Point> points = points_of(trials, options, metric);
  GSAN_CHECK(!points.empty(), options.folder, ": no run of the sweep has a finite ", options.part, " ",
             metric.empty() ? "metric" : metric, " yet; `gsan sweep --output ", options.folder,
             " --resume` runs what is missing");
  const bool has_numbers = std::all_of(points.begin(), points.end(),
                                       [](const Point& point) { return number_in(point.value).has_value(); });
  GSAN_CHECK(!options.log || has_numbers, "--log: the values of ", options.key, " are not numbers");
  const std::string what = concat(options.part, " ", metric);
  const ChartOptions chart{
      .title = options.picture.title.empty() ? concat(what, " over ", options.key) : options.picture.title,
      .x_label = has_numbers ? options.key : what,
      .y_label = has_numbers ? what : "",
      .log_x = options.log,
      .width = options.picture.width > 0 ? options.picture.width : 640};
  Json drawn = Json::array();
  for (const Point& point : points)
    drawn.push_back({{"value", point.value}, {"others", point.group}, {"results", point.results}});
  const std::size_t missing = trials.size() - points.size();
  options.picture.write(
      has_numbers ? over_numbers(points, options, chart) : over_words(points, chart),
      {{"command", "plot"},
       {"kind", "sweep"},
       {"folder", options.folder},
       {"key", options.key},
       {"metric", metric},
       {"part", options.part},
       {"trials", drawn},
       {"missing", missing}},
      concat(points.size(), " trials", missing > 0 ? concat(", ", missing, " without a result") : "", ": ",
             what, " over ", options.key, "\n"));
  return ExitCode::success;
}

}  // namespace

Plot add_plot_sweep(CLI::App& app) {
  auto options = std::make_shared<SweepPlotWords>();
  CLI::App* kind = app.add_subcommand("sweep", "What the trials of a sweep reached, over one of its keys");
  kind->footer(
      "Example:\n  gsan plot sweep rates --key train.optimizer.learning_rate --log --output rates.svg");
  kind->add_option("FOLDER", options->folder, "folder of `gsan sweep`, finished or not")->required();
  kind->add_option("--key", options->key, "the key on the axis (default: the first one that varies)");
  kind->add_option("--part", options->part, "results on this part")
      ->check(CLI::IsMember({"validation", "test"}))
      ->capture_default_str();
  kind->add_option(
      "--metric", options->metric,
      "which result (default: validation: the one that ranks the trials, test: the first of the task)");
  kind->add_flag("--log", options->log, "a logarithmic axis of the key");
  options->picture.add_to(*kind);
  return {kind, [options] { return run(*options); }};
}

}  // namespace gsan::app
