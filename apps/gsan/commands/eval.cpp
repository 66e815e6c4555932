// gsan eval: the numbers of a trained run on one of its parts, or on other data.

#include <iostream>
#include <memory>

#include "gsan/report/metric_values.h"
#include "gsan/train/experiment.h"

#include "apps/gsan/commands/command.h"
#include "apps/gsan/console/options.h"
#include "apps/gsan/console/run_report.h"
#include "apps/gsan/console/table.h"
#include "apps/gsan/runner/memory_limit.h"

namespace gsan::app {
namespace {

struct EvalWords {
  std::string run, data;
  std::string phase = "test", weights = "best";
  MachineOptions machine;
  MemoryLimit memory;
  ReportOptions report;
};

ExitCode run(const EvalWords& options) {
  const Phase phase = parse_enum<Phase>(options.phase, "--phase");
  const torch::Device device = options.machine.apply();
  LoadedRun loaded = load_run(options.run, {.device = device,
                                            .weights = parse_enum<RunWeights>(options.weights, "--weights"),
                                            .data = options.data,
                                            .max_memory = options.memory.apply(device.is_cpu())});
  Experiment& experiment = loaded.experiment;
  GSAN_CHECK(experiment.task->has_items(phase), "eval: the ", options.phase, " part has no items",
             options.data.empty() ? "" : "; other data have a test part only");
  const Metrics metrics = evaluate(*experiment.task, experiment.model, phase);
  const std::string data = options.data.empty() ? experiment.settings.task.data.name : options.data;
  const Json report{{"command", "eval"},
                    {"run", options.run},
                    {"task", experiment.task->name()},
                    {"protocol", name_of(experiment.settings.task.protocol)},
                    {"data", data},
                    {"model", experiment.settings.model.name},
                    {"seed", experiment.settings.seed},
                    {"weights", options.weights},
                    {"epoch", loaded.epoch},
                    {"phase", options.phase},
                    {"metrics", metrics_json(metrics)}};
  Table table({"metric", options.phase});
  for (const auto& [name, value] : metrics) table.add({name, report::show_metric(value)});
  options.report.write(report,
                       concat(experiment.settings.model.name, " for ", experiment.task->name(), " on ", data,
                              ", weights of epoch ", loaded.epoch + 1, "\n", table.text()));
  return ExitCode::success;
}

}  // namespace

Command add_eval(CLI::App& app) {
  auto options = std::make_shared<EvalWords>();
  CLI::App* command = app.add_subcommand("eval", "The numbers of a trained run");
  command->footer("Example:\n  gsan eval runs/islands --phase validation");
  command->add_option("RUN", options->run, "run folder of `gsan train`")->required();
  command->add_option("--phase", options->phase, "which part: test, validation or train")
      ->capture_default_str();
  add_weights_option(*command, options->weights);
  command
      ->add_option("--data", options->data,
                   "a folder of other data of the same kind: all its known classes; values and candidates "
                   "are divided by the settings and the seed of the run")
      ->type_name("FOLDER")
      ->check(CLI::ExistingDirectory);
  options->machine.add_to(*command);
  options->memory.add_to(*command);
  options->report.add_to(*command, false);
  return {command, [options] { return run(*options); }};
}

}  // namespace gsan::app
