// gsan predict: what a trained model answers for data, as a table.

#include <memory>

#include "gsan/core/atomic_file.h"
#include "gsan/data/formats/arrays/npy.h"
#include "gsan/data/formats/text/csv.h"
#include "gsan/train/ensemble.h"

#include "apps/gsan/commands/command.h"
#include "apps/gsan/console/options.h"
#include "apps/gsan/console/signals.h"
#include "apps/gsan/runner/memory_limit.h"

namespace gsan::app {
namespace {

struct PredictWords {
  std::vector<std::string> runs;
  std::string data, output, weights = "best";
  bool uses_positives = false;
  MachineOptions machine;
  MemoryLimit memory;
  ReportOptions report;
};

std::string csv_of(const Prediction& prediction) {
  std::string text;
  const auto add = [&](const std::vector<std::string>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (i > 0) text += ',';
      append_csv_field(text, fields[i]);
    }
    text += '\n';
  };
  add(prediction.columns);
  for (const auto& row : prediction.rows) add(row);
  return text;
}

ExitCode run(const PredictWords& options) {
  GSAN_CHECK(options.output.empty() || options.output.ends_with(".csv") || options.output.ends_with(".npy"),
             "--output: the file must end with .csv or .npy, got '", options.output, "'");
  const torch::Device device = options.machine.apply();
  const LoadOptions how{.device = device,
                        .weights = parse_enum<RunWeights>(options.weights, "--weights"),
                        .data = options.data,
                        .uses_positives = options.uses_positives,
                        .max_memory = options.memory.apply(device.is_cpu())};
  std::vector<EnsembleRun> runs;
  for (const std::string& run : options.runs) runs.push_back({run, load_run(run, how)});
  const Prediction prediction = predict(runs);
  const Experiment& experiment = runs.front().run.experiment;
  const DataSettings& data = experiment.settings.task.data;

  Json report{
      {"command", "predict"},
      {runs.size() == 1 ? "run" : "runs", runs.size() == 1 ? Json(options.runs[0]) : Json(options.runs)},
      {"task", experiment.task->name()},
      {"data", data.name},
      {"items", prediction.rows.size()}};
  if (!data.path.empty()) report["path"] = data.path;
  if (const auto classes = experiment.task->class_names(); !classes.empty()) report["classes"] = classes;
  std::string text = csv_of(prediction);
  if (options.output.empty()) {
    report["columns"] = prediction.columns;
    report["rows"] = prediction.rows;
  } else {
    write_file_atomically(options.output,
                          options.output.ends_with(".npy") ? print_npy(to_signal(prediction.numbers)) : text);
    report["output"] = options.output;
    text = concat("wrote ", prediction.rows.size(), " predictions to ", options.output, "\n");
  }
  options.report.write(report, text);
  return ExitCode::success;
}

}  // namespace

Command add_predict(CLI::App& app) {
  auto options = std::make_shared<PredictWords>();
  CLI::App* command = app.add_subcommand("predict", "What a trained model says of new data, as a table");
  command
      ->add_option("RUN", options->runs,
                   "folder of a run, made by gsan train; of several the answers are averaged")
      ->required();
  command->add_option("--data", options->data,
                      "folder of your own data, or the name of a dataset (default: the data of the run)");
  command
      ->add_flag(
          "--known-positives", options->uses_positives,
          "simplex-prediction: candidates that the data know to belong to the complex are in it while the "
          "others are predicted (default: no label is used)")
      ->needs("--data");
  add_weights_option(*command, options->weights);
  command->add_option(
      "--output", options->output,
      "FILE.csv: names and numbers; FILE.npy: the numbers (default: CSV to the standard output)");
  options->report.add_to(*command, false);
  options->machine.add_to(*command);
  options->memory.add_to(*command);
  command->footer(
      "Example:\n  gsan train trajectory --data examples/own-data/trajectory --output runs/streets\n"
      "  gsan predict runs/streets --data examples/own-data/trajectory --output answers.csv\n"
      "  gsan predict runs/seed0 runs/seed1 runs/seed2 --data town --output answers.csv\n\n"
      "Columns: the name of the item, or the vertices v0 ... vk of the simplex; then\n"
      "  predicted, p_CLASS ...   a class and the probability of each\n"
      "  predicted                a number\n"
      "  value, known, predicted  a value per simplex; known = 1: it is in the data; predicted: the\n"
      "                           answer of the model itself (data of the run: from the input that it had "
      "there)\n"
      "  probability, known       of a candidate to belong to the complex (citation: of the test part)\n"
      "  part, truth              train, validation or test, empty: none; the true answer, empty: unknown");
  return {command, [options] { return run(*options); }};
}

}  // namespace gsan::app
