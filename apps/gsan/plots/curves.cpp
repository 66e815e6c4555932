// gsan plot curves: the metrics of one or many runs over their epochs.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include "gsan/core/check.h"
#include "gsan/core/text.h"
#include "gsan/plot/line_chart.h"
#include "gsan/plot/panels.h"
#include "gsan/train/run_curves.h"

#include "apps/gsan/plots/picture_output.h"
#include "apps/gsan/plots/plot.h"

namespace gsan::app {
namespace {

struct CurvesPlotWords {
  std::vector<std::string> runs, metrics;
  bool log = false;
  PictureOptions picture;
};

struct NamedRun {
  std::string name;
  std::vector<RunCurve> curves;
};

// "loss" of "validation.loss".
std::string kind_of(const std::string& metric) { return part_and_metric(metric).second; }

// The last part of each path; whole paths where two are the same.
std::vector<NamedRun> read_runs(const std::vector<std::string>& paths) {
  std::vector<NamedRun> runs;
  std::set<std::string> names;
  for (const std::string& path : paths) {
    const std::filesystem::path clean = std::filesystem::path(path) / "";
    runs.push_back({clean.parent_path().filename().string(), read_run_curves(path)});
    names.insert(runs.back().name);
  }
  for (std::size_t i = 0; i < runs.size() && names.size() < runs.size(); ++i) runs[i].name = paths[i];
  return runs;
}

// validation.loss, or loss for those of all parts.
bool is_called(const RunCurve& curve, const std::string& name) {
  return name == curve.metric || name == kind_of(curve.metric);
}

bool is_asked(const RunCurve& curve, const std::vector<std::string>& asked) {
  return asked.empty() || std::any_of(asked.begin(), asked.end(),
                                      [&](const std::string& name) { return is_called(curve, name); });
}

// Which kinds get a panel: those that are asked for, else all but the learning rate.
std::vector<std::string> panel_kinds(const std::vector<NamedRun>& runs,
                                     const std::vector<std::string>& asked) {
  std::vector<std::string> all, metrics, kinds;
  const auto add = [](std::vector<std::string>& list, const std::string& name) {
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
  };
  for (const NamedRun& run : runs)
    for (const RunCurve& curve : run.curves) add(all, kind_of(curve.metric)), add(metrics, curve.metric);
  for (const std::string& name : asked) {
    const bool is_there = std::any_of(runs.begin(), runs.end(), [&](const NamedRun& run) {
      return std::any_of(run.curves.begin(), run.curves.end(),
                         [&](const RunCurve& curve) { return is_called(curve, name); });
    });
    GSAN_CHECK(is_there, "--metric: no run has '", name, "'; there are ", joined(metrics));
    add(kinds, kind_of(name));
  }
  for (const std::string& name : all)
    if (asked.empty() && name != "learning_rate") add(kinds, name);
  return kinds;
}

std::string panel(const std::vector<NamedRun>& runs, const std::string& kind, const CurvesPlotWords& options,
                  double width, Json& drawn) {
  std::vector<Curve> curves;
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (const RunCurve& curve : runs[r].curves) {
      if (kind_of(curve.metric) != kind || !is_asked(curve, options.metrics)) continue;
      const bool is_validation = curve.metric.starts_with("validation");
      Curve line{runs.size() == 1 ? curve.metric : concat(runs[r].name, ": ", curve.metric), curve.epochs,
                 curve.values, is_validation, curve.epochs.size() < 2};
      line.series = static_cast<int>(runs.size() > 1 ? r : is_validation);
      drawn.push_back({{"run", options.runs[r]}, {"metric", curve.metric}, {"epochs", curve.epochs.size()}});
      curves.push_back(std::move(line));
    }
  if (curves.empty()) return {};
  return line_chart(curves, {.title = kind,
                             .x_label = "epoch",
                             .y_label = kind,
                             .log_y = options.log,
                             .whole_x = true,
                             .width = width});
}

ExitCode run(const CurvesPlotWords& options) {
  options.picture.format();
  const std::vector<NamedRun> runs = read_runs(options.runs);
  const std::vector<std::string> kinds = panel_kinds(runs, options.metrics);
  GSAN_CHECK(!kinds.empty(), "plot curves: the runs have no metric but the learning rate; ask for it with ",
             "--metric learning_rate");
  const double width = options.picture.width > 0 ? options.picture.width : kinds.size() > 1 ? 1100 : 640;
  std::vector<std::string> pictures;
  Json drawn = Json::array();
  for (const std::string& kind : kinds)
    if (std::string picture = panel(runs, kind, options, kinds.size() > 1 ? width / 2 : width, drawn);
        !picture.empty())
      pictures.push_back(std::move(picture));
  const std::string title = !options.picture.title.empty() ? options.picture.title
                            : runs.size() == 1             ? concat("Training of ", runs[0].name)
                                                           : concat("Training of ", runs.size(), " runs");
  options.picture.write(panels(pictures, 2, title),
                        {{"command", "plot"}, {"kind", "curves"}, {"curves", drawn}},
                        concat("the ", drawn.size(), " curves of ", runs.size(), " run(s)\n"));
  return ExitCode::success;
}

}  // namespace

Plot add_plot_curves(CLI::App& app) {
  auto options = std::make_shared<CurvesPlotWords>();
  CLI::App* kind = app.add_subcommand("curves", "Metrics of one or many runs over their epochs");
  kind->footer(
      "Examples:\n  gsan plot curves runs/flow --output curves.svg\n"
      "  gsan plot curves runs/a runs/b --metric validation.accuracy --output accuracy.svg");
  kind->add_option("RUN", options->runs,
                   "run folders of `gsan train`; one that still runs has its epochs so far")
      ->required();
  kind->add_option("--metric", options->metrics,
                   "validation.loss, or loss for those of training and validation; repeated (default: all)")
      ->allow_extra_args(false)
      ->type_name("NAME");
  kind->add_flag("--log", options->log, "a logarithmic axis of the values");
  options->picture.add_to(*kind);
  return {kind, [options] { return run(*options); }};
}

}  // namespace gsan::app
