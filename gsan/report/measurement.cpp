#include "gsan/report/measurement.h"

#include <chrono>
#include <cmath>

#include "gsan/core/atomic_file.h"
#include "gsan/report/resolved_config.h"
#include "gsan/tasks/task_kinds.h"
#include "gsan/train/experiment.h"
#include "gsan/train/manifest.h"
#include "gsan/train/metrics_log.h"
#include "gsan/train/stored_run.h"

namespace gsan::report {
namespace fs = std::filesystem;
namespace {

double rounded(double value) { return std::round(value * 1e4) / 1e4; }  // enough for per cents

Origin origin_of(const Manifest& manifest, const std::string& machine) {
  Origin origin{.commit = {},
                .version = manifest.gsan,
                .torch = manifest.torch,
                .compiler = manifest.compiler,
                .machine = machine,
                .device = manifest.device,
                .threads = manifest.threads,
                .started = manifest.started,
                .ended = manifest.ended};
  set_revision(origin, manifest.git_revision);
  return origin;
}

Record new_record(const PlannedRun& run, Origin origin) {
  Record record;
  record.table = run.table;
  record.key = run.key;
  record.resolved = run.resolved;
  record.origin = std::move(origin);
  return record;
}

// What the epochs said: the last validation, and the curve where one is asked for.
void read_epochs(const fs::path& run_folder, const std::string& curve, Record& record) {
  const std::vector<EpochMetrics> epochs = read_metrics(run_folder / "metrics.jsonl");
  const std::string part = "validation.";
  if (!epochs.empty())
    for (const auto& [name, value] : epochs.back().values)
      if (name.starts_with(part)) record.last.emplace_back(name.substr(part.size()), value);
  for (const EpochMetrics& epoch : epochs)
    for (const auto& [name, value] : epoch.values)
      if (name == curve && std::isfinite(value))  // epochs without validation have none
        record.curve.push_back(rounded(value));
}

}  // namespace

bool is_run_of(const fs::path& run_folder, const PlannedRun& run) {
  return ResolvedConfig(read_run_settings(run_folder)).hash() == run.resolved;
}

Record take_record(const fs::path& run_folder, const RunToDo& todo, const std::string& machine) {
  if (!is_run_of(run_folder, todo.run))
    fail(Fault::argument, "the run in ", run_folder.string(),
         " has another config than was planned: it was changed meanwhile; start again");
  Record record = new_record(todo.run, origin_of(read_manifest(run_folder / "manifest.json"), machine));
  const RunRecord result = read_record(gsan::record_file(run_folder));
  record.task = result.task;
  record.data = result.data;
  record.model = result.model;
  record.headline = result.headline_metric;
  record.chosen_by = result.choosing_metric;
  record.end = result.end;
  record.epochs = result.epochs;
  record.best_epoch = result.best_epoch;
  record.parameters = result.parameters;
  record.seconds = result.seconds;
  record.epoch_seconds = result.epoch_seconds;
  record.validation = result.validation;
  record.test = result.test;
  read_epochs(run_folder, todo.curve, record);
  return record;
}

Record measure_rules(const fs::path& experiments, const PlannedRun& run, const std::string& machine) {
  const fs::path file = experiments / run.key.config;
  const RunSettings settings = parse_run_settings(read_file(file), file.string(), run.key.overrides());
  Manifest manifest = make_manifest(run.key.seed);
  manifest.started = utc_now();
  const auto began = std::chrono::steady_clock::now();
  const MadeTask made = make_task(settings.task, settings.seed);
  std::vector<RuleResult> rules = made.task->rules(Phase::test);
  manifest.ended = utc_now();
  Record record = new_record(run, origin_of(manifest, machine));
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  record.task = made.task->name();
  record.data = settings.task.data.name;
  record.headline = made.task->headline_metric();
  record.rules = std::move(rules);
  return record;
}

}  // namespace gsan::report
