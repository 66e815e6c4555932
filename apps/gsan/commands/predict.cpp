// gsan predict: what a trained model says of data, as a table.

#include <cmath>
#include <iostream>
#include <memory>

#include "gsan/core/atomic_file.h"
#include "gsan/data/formats/csv.h"
#include "gsan/data/formats/npy.h"
#include "gsan/data/formats/number.h"
#include "gsan/tasks/prediction.h"
#include "gsan/train/class_names.h"
#include "gsan/train/experiment.h"

#include "apps/gsan/commands/command.h"
#include "apps/gsan/console/options.h"
#include "apps/gsan/console/signals.h"

namespace gsan::app {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string run, data, output, weights = "best";
  MachineOptions machine;
  ReportOptions report;
};

/// A row per item: what it is called, then texts, then numbers.
struct Answer {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // texts, as the CSV has them
  Tensor numbers;                              // [rows, …], as the NPY has them
};

std::string text_of(double number) {
  std::string text;
  append_number(text, number);
  return text;
}

// The vertices of every simplex of one order, by their names.
std::vector<std::vector<std::string>> named_simplices(const SimplicialComplex& complex, int order,
                                                      const std::vector<std::string>& names) {
  std::vector<std::vector<std::string>> rows;
  for (Index i = 0; i < complex.count(order); ++i) {
    std::vector<std::string>& row = rows.emplace_back();
    for (const Vertex v : complex.vertices(order, i))
      row.push_back(names.empty() ? std::to_string(v) : names[static_cast<std::size_t>(v)]);
  }
  return rows;
}

std::vector<std::string> vertex_columns(int order) {
  std::vector<std::string> columns;
  for (int i = 0; i <= order; ++i) columns.push_back(concat("v", i));
  return columns;
}

std::vector<std::vector<std::string>> named_items(std::int64_t count, const std::vector<std::string>& names) {
  std::vector<std::vector<std::string>> rows;
  for (std::int64_t i = 0; i < count; ++i)
    rows.push_back({names.empty() ? std::to_string(i) : names[static_cast<std::size_t>(i)]});
  return rows;
}

// Adds the columns predicted, p_CLASS …
void add_classes(Answer& answer, const Tensor& probabilities, const std::vector<std::string>& classes) {
  answer.columns.push_back("predicted");
  for (const std::string& name : classes) answer.columns.push_back("p_" + name);
  const auto p = probabilities.accessor<double, 2>();
  const Tensor best = probabilities.argmax(1);
  for (std::size_t i = 0; i < answer.rows.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i);
    answer.rows[i].push_back(classes[static_cast<std::size_t>(best[row].item<std::int64_t>())]);
    for (std::int64_t c = 0; c < probabilities.size(1); ++c) answer.rows[i].push_back(text_of(p[row][c]));
  }
  answer.numbers = probabilities;
}

void add_column(Answer& answer, const std::string& name, const Tensor& values) {
  answer.columns.push_back(name);
  const Tensor numbers = values.to(torch::kFloat64).contiguous();
  for (std::size_t i = 0; i < answer.rows.size(); ++i)
    answer.rows[i].push_back(text_of(numbers.const_data_ptr<double>()[i]));
}

/// The run: its settings with the data to work on, its weights and its classes.
struct Run {
  fs::path folder;
  TaskSettings settings;
  std::uint64_t seed = 0;
  bool is_own_data = true;  // those that it was trained on
  Model model{nullptr};
  std::vector<std::string> classes;
  torch::Device device = torch::kCPU;
};

template <class TaskOptions>
TaskOptions placed(TaskOptions options, const Run& run) {
  options.protocol = run.settings.protocol;
  options.placement.device = run.device;
  options.placement.order = run.settings.data.reorder;
  return options;
}

// The task of the run on its own data, with the input that the model had at its end.
template <class KindOfTask>
std::unique_ptr<KindOfTask> task_of_run(const Run& run) {
  MadeTask made = make_task(run.settings, run.seed, run.device);
  require_same_data(run.folder, *made.task, made.data);
  return std::unique_ptr<KindOfTask>(dynamic_cast<KindOfTask*>(made.task.release()));
}

// Of generated data, as many as the run has.
SignalDataset signals_of(const Run& run) {
  if (run.is_own_data)
    return dynamic_cast<const TrajectoryClassification&>(*make_task(run.settings, run.seed).task).dataset();
  return open_signals(run.settings.data, 1).data;
}

Answer of_signals(Run& run) {
  SignalDataset dataset = signals_of(run);
  match_classes(dataset, run.classes);
  Answer answer{{"name"}, named_items(dataset.signals.size(0), dataset.item_names), {}};
  add_classes(answer,
              predict_classes(run.model, std::move(dataset), placed(run.settings.trajectory, run),
                              task_stream(run.seed)),
              run.classes);
  return answer;
}

Answer of_complexes(Run& run) {
  ComplexDataset dataset = open_complexes(run.settings.data).data;
  match_classes(dataset, run.classes);
  Answer answer{{"name"}, named_items(dataset.labels.numel(), dataset.item_names), {}};
  add_classes(answer,
              predict_classes(run.model, std::move(dataset), placed(run.settings.graph_classification, run)),
              run.classes);
  return answer;
}

Answer of_simplex_classes(Run& run) {
  ValueDataset dataset = open_classes(run.settings.data).data;
  match_classes(dataset, run.classes);
  const int k = run.settings.simplex_classification.order;
  Answer answer{vertex_columns(k), named_simplices(dataset.complex, k, dataset.vertex_names), {}};
  const Tensor given = static_cast<std::size_t>(k) < dataset.values.size()
                           ? dataset.values[static_cast<std::size_t>(k)]
                           : Tensor();
  const Tensor known =
      given.defined() ? given.isnan().logical_not() : torch::zeros({dataset.complex.count(k)}, torch::kBool);
  add_classes(
      answer,
      predict_classes(run.model, std::move(dataset), placed(run.settings.simplex_classification, run)),
      run.classes);
  add_column(answer, "known", known);
  return answer;
}

Answer of_values(Run& run) {
  const ValueDataset dataset = open_values(run.settings.data, run.settings.protocol == Protocol::published,
                                           run.settings.imputation.order)
                                   .data;
  const ImputationOptions options = placed(run.settings.imputation, run);
  const int k = options.order;
  Answer answer{vertex_columns(k), named_simplices(dataset.complex, k, dataset.vertex_names), {}};
  const Tensor found = predict_values(run.model, dataset, options);
  const Tensor given = dataset.values[static_cast<std::size_t>(k)], known = given.isnan().logical_not();
  const Tensor value = torch::where(known, given, found);
  const Tensor predicted = run.is_own_data ? found_values(run.model, *task_of_run<Imputation>(run)) : found;
  add_column(answer, "value", value);
  add_column(answer, "known", known);
  add_column(answer, "predicted", predicted);
  answer.numbers = torch::stack({value, predicted}, 1);
  return answer;
}

// Where all labels are known, only the candidates of the test part are a question.
Answer of_test_candidates(Run& run) {
  const auto task = task_of_run<SimplexPrediction>(run);
  const CandidateDataset& dataset = task->dataset();
  const auto all = named_simplices(dataset.complex, dataset.order, dataset.vertex_names);
  Answer answer{vertex_columns(dataset.order), {}, found_probabilities(run.model, *task).unsqueeze(1)};
  for (const std::int64_t row : task->split().test) answer.rows.push_back(all[static_cast<std::size_t>(row)]);
  add_column(answer, "probability", answer.numbers);
  add_column(answer, "known", torch::ones({answer.numbers.size(0)}));
  return answer;
}

Answer of_candidates(Run& run) {
  const SimplexPredictionOptions options = placed(run.settings.simplex_prediction, run);
  const int k = options.order;
  if (run.settings.data.path.empty()) {
    GSAN_CHECK(run.is_own_data, "predict: the candidates of ", run.settings.data.name,
               " belong to the split of a run on it; bring candidates of your own with --data FOLDER");
    return of_test_candidates(run);
  }
  const CandidateDataset dataset = open_candidates(run.settings.data, k).data;
  const Tensor found = predict_candidates(run.model, dataset, options);
  const Tensor rows = found.isnan().logical_not().nonzero().squeeze(1);
  const auto all = named_simplices(dataset.complex, k, dataset.vertex_names);
  Answer answer{vertex_columns(k), {}, found.index_select(0, rows).unsqueeze(1)};
  for (std::int64_t i = 0; i < rows.numel(); ++i)
    answer.rows.push_back(all[static_cast<std::size_t>(rows[i].item<std::int64_t>())]);
  add_column(answer, "probability", answer.numbers);
  add_column(answer, "known", dataset.labels.index_select(0, rows).ne(unknown_label));
  return answer;
}

bool has_classes(TaskKind kind) {
  return kind == TaskKind::trajectory || kind == TaskKind::graph_classification ||
         kind == TaskKind::simplex_classification;
}

Answer answer_of(Run& run) {
  switch (run.settings.kind) {
    case TaskKind::trajectory:
      return of_signals(run);
    case TaskKind::imputation:
      return of_values(run);
    case TaskKind::simplex_classification:
      return of_simplex_classes(run);
    case TaskKind::graph_classification:
      return of_complexes(run);
    case TaskKind::simplex_prediction:
      return of_candidates(run);
  }
  fail(Fault::argument, "predict: unknown task ", static_cast<int>(run.settings.kind));
}

std::string csv_of(const Answer& answer) {
  std::string text;
  const auto add = [&](const std::vector<std::string>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (i > 0) text += ',';
      append_csv_field(text, fields[i]);
    }
    text += '\n';
  };
  add(answer.columns);
  for (const auto& row : answer.rows) add(row);
  return text;
}

ExitCode run_command(const Options& options) {
  Run run;
  run.folder = options.run;
  run.device = options.machine.apply();
  GSAN_CHECK(options.output.empty() || options.output.ends_with(".csv") || options.output.ends_with(".npy"),
             "--output: the file must end with .csv or .npy, got '", options.output, "'");
  const RunSettings settings = read_run_settings(options.run);
  run.settings = settings.task;
  run.seed = settings.seed;
  run.is_own_data = options.data.empty();
  if (fs::is_directory(options.data)) {
    run.settings.data = with_source(run.settings.data, run.settings.data.name,
                                    fs::absolute(options.data).lexically_normal().string());
  } else if (!options.data.empty()) {
    run.settings.data = with_source(run.settings.data, options.data, "");
  }
  run.model =
      load_run_model(options.run, settings, run.device, parse_enum<RunWeights>(options.weights, "--weights"));
  run.classes = read_class_names(options.run);
  GSAN_CHECK(!run.classes.empty() || !has_classes(run.settings.kind), options.run,
             " does not say the names of its classes: classes.json is missing in it");
  const Answer answer = answer_of(run);

  Json report{{"command", "predict"},
              {"run", options.run},
              {"task", std::string(name_of(run.settings.kind))},
              {"data", run.settings.data.path.empty() ? run.settings.data.name : run.settings.data.path},
              {"items", answer.rows.size()}};
  if (!run.classes.empty()) report["classes"] = run.classes;
  std::string text = csv_of(answer);
  if (options.output.empty()) {
    report["columns"] = answer.columns;
    report["rows"] = answer.rows;
  } else {
    write_file_atomically(options.output,
                          options.output.ends_with(".npy") ? print_npy(to_signal(answer.numbers)) : text);
    report["output"] = options.output;
    text = concat("wrote ", answer.rows.size(), " predictions to ", options.output, "\n");
  }
  options.report.write(report, text);
  return ExitCode::success;
}

}  // namespace

Command add_predict(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("predict", "What a trained model says of new data, as a table");
  command->add_option("run", options->run, "folder of a run, made by gsan train")->required();
  command->add_option("--data", options->data,
                      "folder of your own data, or the name of a dataset (default: the data of the run)");
  add_weights_option(*command, options->weights);
  command->add_option(
      "--output", options->output,
      "FILE.csv: names and numbers; FILE.npy: the numbers (default: CSV to the standard output)");
  options->report.add_to(*command, false);
  options->machine.add_to(*command);
  command->footer(
      "Example:\n  gsan train trajectory --data examples/own-data/trajectory --output runs/streets\n"
      "  gsan predict runs/streets --data examples/own-data/trajectory --output answers.csv\n\n"
      "Columns: the name of the item, or the vertices v0 ... vk of the simplex; then\n"
      "  predicted, p_CLASS ...   a class and the probability of each\n"
      "  value, known, predicted  a value per simplex; known = 1: it stands in the data; predicted: the\n"
      "                           answer of the model itself (data of the run: from the input that it had "
      "there)\n"
      "  probability, known       of a candidate to belong to the complex (citation: of the test part)");
  return {command, [options] { return run_command(*options); }};
}

}  // namespace gsan::app
