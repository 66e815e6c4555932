// gsan eval: the numbers of a trained run on one of its parts, or on other data.

#include <filesystem>
#include <iostream>
#include <memory>

#include "gsan/report/metric_values.h"
#include "gsan/train/ensemble.h"

#include "apps/gsan/commands/command.h"
#include "apps/gsan/console/options.h"
#include "apps/gsan/console/run_report.h"
#include "apps/gsan/console/table.h"
#include "apps/gsan/runner/memory_limit.h"
#include "apps/gsan/runner/run_words.h"

namespace gsan::app {
namespace {

struct EvalWords {
  std::vector<std::string> runs;
  std::string data, config;
  std::string phase = "test", weights = "best";
  MachineOptions machine;
  MemoryLimit memory;
  ReportOptions report;
};

struct Evaluated {
  Json report;
  std::string title;
  Metrics metrics;
  MetricDetails details;
};

// A run, or a model that was saved by itself: its task is that of --config.
LoadedRun opened(const std::string& run, const EvalWords& options, const LoadOptions& how) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(run, ignored)) {
    GSAN_CHECK(options.config.empty(), "eval: --config is for weights files; the run ", run,
               " has its own settings");
    return load_run(run, how);
  }
  GSAN_CHECK(
      !options.config.empty(), "eval: ", run,
      " is a weights file, which does not say for which task: add --config TASK or --config FILE (in Python "
      "`task.settings` is its text; the config.yaml of a run)");
  RunWords words;
  words.words = {options.config};
  words.data = options.data;
  return load_saved_model(run, words.settings(), how);
}

bool is_saved(const EnsembleRun& run) { return run.run.epoch < 0; }

Evaluated evaluated(const EvalWords& options, Phase phase, EnsembleRun& run) {
  Experiment& experiment = run.run.experiment;
  GSAN_CHECK(experiment.task->has_items(phase), "eval: the ", options.phase, " part has no items",
             options.data.empty() ? "" : "; other data have a test part only");
  const auto [metrics, details] = evaluate_in_detail(*experiment.task, experiment.model, phase);
  const std::string data = options.data.empty() ? experiment.settings.task.data.name : options.data;
  return {
      {{"command", "eval"},
       {"run", run.name},
       {"task", experiment.task->name()},
       {"protocol", name_of(experiment.settings.task.protocol)},
       {"data", data},
       {"model", experiment.settings.model.name},
       {"seed", experiment.settings.seed},
       {"weights", is_saved(run) ? run.name : options.weights},
       {"epoch", is_saved(run) ? Json() : Json(run.run.epoch + 1)},
       {"phase", options.phase},
       {"metrics", metrics_json(metrics)},
       {"details", Json::parse(details_text(details))},
       {"notes", experiment.task->notes()}},
      concat(experiment.settings.model.name, " for ", experiment.task->name(), " on ", data,
             details.order < 0 ? "" : concat(", simplices of order ", details.order),
             is_saved(run) ? ", weights of " + run.name : concat(", weights of epoch ", run.run.epoch + 1)),
      metrics,
      details};
}

std::string notes_text(const Task& task) {
  std::string text;
  for (const std::string& note : task.notes()) text += note + "\n";
  return text;
}

// A row per metric, a column per run, and one of all runs together where there are several.
std::string table_text(const std::vector<std::string>& columns, const std::vector<Metrics>& all) {
  std::vector<std::string> header{"metric"};
  header.insert(header.end(), columns.begin(), columns.end());
  Table table(header);
  for (const auto& entry : all.front()) {
    std::vector<std::string> row{entry.first};
    for (const Metrics& metrics : all)
      row.push_back(report::show_metric(report::metric_value(metrics, entry.first)));
    table.add(row);
  }
  return table.text();
}

ExitCode run(const EvalWords& options) {
  const Phase phase = parse_enum<Phase>(options.phase, "--phase");
  const torch::Device device = options.machine.apply();
  const LoadOptions how{.device = device,
                        .weights = parse_enum<RunWeights>(options.weights, "--weights"),
                        .data = options.data,
                        .max_memory = options.memory.apply(device.is_cpu())};
  std::vector<EnsembleRun> runs;
  for (const std::string& run : options.runs) runs.push_back({run, opened(run, options, how)});
  if (runs.size() == 1) {
    const Evaluated one = evaluated(options, phase, runs.front());
    options.report.write(one.report, concat(one.title, "\n", details_table(one.details, options.phase),
                                            notes_text(*runs.front().run.experiment.task)));
    return ExitCode::success;
  }
  Json report{{"command", "eval"}, {"phase", options.phase}, {"runs", Json::array()}};
  std::string text;
  std::vector<std::string> columns = options.runs;
  std::vector<Metrics> all;
  for (EnsembleRun& run : runs) {
    const Evaluated one = evaluated(options, phase, run);
    report["runs"].push_back(one.report);
    text += concat(run.name, ": ", one.title, "\n");
    all.push_back(one.metrics);
  }
  all.push_back(ensemble_meter(runs, phase)->value());
  columns.emplace_back("ensemble");
  report["ensemble"] = {{"metrics", metrics_json(all.back())}};
  options.report.write(report,
                       text + table_text(columns, all) + notes_text(*runs.front().run.experiment.task));
  return ExitCode::success;
}

}  // namespace

Command add_eval(CLI::App& app) {
  auto options = std::make_shared<EvalWords>();
  CLI::App* command = app.add_subcommand("eval", "The numbers of a trained run");
  command->footer("Example:\n  gsan eval runs/islands --phase validation");
  command
      ->add_option("RUN", options->runs,
                   "run folder of `gsan train`, or a weights file with --config; of several also the metrics "
                   "of their mean "
                   "answers")
      ->required();
  command
      ->add_option("--config", options->config,
                   "the task of a weights file, such as one that `model.save` of Python wrote: a task or a "
                   "config file; "
                   "--data is then where its data are")
      ->type_name("TASK|FILE");
  command->add_option("--phase", options->phase, "which part: test, validation or train")
      ->capture_default_str();
  add_weights_option(*command, options->weights);
  command
      ->add_option("--data", options->data,
                   "a folder of other data of the same kind, all of it; values to impute are divided by the "
                   "settings and the seed of the run: some must be given to find others")
      ->type_name("FOLDER")
      ->check(CLI::ExistingDirectory);
  options->machine.add_to(*command);
  options->memory.add_to(*command);
  options->report.add_to(*command, false);
  return {command, [options] { return run(*options); }};
}

}  // namespace gsan::app
