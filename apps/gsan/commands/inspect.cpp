// gsan inspect: what a complex looks like, in numbers.

#include <algorithm>
#include <memory>

#include "gsan/hodge/operators.h"
#include "gsan/hodge/spectral/lambda.h"
#include "gsan/models/model_kinds.h"
#include "gsan/topology/homology.h"

#include "apps/gsan/commands/command.h"
#include "apps/gsan/console/input.h"
#include "apps/gsan/console/model_options.h"
#include "apps/gsan/console/model_report.h"
#include "apps/gsan/console/options.h"
#include "apps/gsan/console/table.h"
#include "apps/gsan/runner/diagnosis_report.h"

namespace gsan::app {
namespace {

struct InspectOptions {
  InputOptions input;
  MachineOptions machine;
  ReportOptions report;
  HomologyOptions homology;
  bool quick = false;
  std::vector<std::string> model_names;  // "all": every one
  ModelChoice models;
  std::int64_t signals = 1;
  DiagnosisQuestion diagnosis;
};

// How many cofaces a simplex of order k has.
Json star_sizes(const SimplicialComplex& complex, int k) {
  const auto offsets = complex.coface_offsets(k);
  Offset least = std::numeric_limits<Offset>::max(), most = 0;
  for (Index i = 0; i < complex.count(k); ++i) {
    least = std::min(least, offsets[i + 1] - offsets[i]);
    most = std::max(most, offsets[i + 1] - offsets[i]);
  }
  const double mean = static_cast<double>(offsets[complex.count(k)]) / complex.count(k);
  return {{"min", least}, {"mean", mean}, {"max", most}};
}

Json inspect(const Input& input, const InspectOptions& options) {
  const SimplicialComplex& complex = input.file.listed.complex;
  const ComplexOperators operators(complex, options.machine.apply());
  Json report{{"command", "inspect"}, {"source", input.source}, {"order", complex.order()}};
  report["orders"] = Json::array();
  for (int k = 0; k <= complex.order(); ++k) {
    const Incidence &lower = operators.incidence(k), &upper = operators.incidence(k + 1);
    Json order{{"order", k}, {"count", complex.count(k)}, {"faces", k == 0 ? 0 : k + 1}};
    order["cofaces"] = star_sizes(complex, k);
    order["lambda_bound"] = lambda_bound(lower, upper).item<double>();
    if (!options.quick) order["lambda_max"] = lambda_max(lower, upper);
    report["orders"].push_back(std::move(order));
  }
  report["euler_characteristic"] = euler_characteristic(complex);
  if (!options.quick) {
    const std::vector<Index> betti = betti_numbers(complex, options.homology);
    report["field"] = options.homology.field;
    report["betti"] = betti;
    report["components"] = betti.empty() ? 0 : betti.front();
  }
  report["memory_bytes"] = complex.memory();
  if (!options.model_names.empty()) {
    report["signals"] = options.signals;
    report["models"] = model_costs(complex, options.model_names, options.models, options.signals);
  }
  return report;
}

ExitCode look_at_training(const InspectOptions& options) {
  GSAN_CHECK(!options.model_names.empty(), "--data needs --model: whose layers to look at");
  GSAN_CHECK(!options.input.is_given(), "--data has its own complex: leave out ",
             options.input.path.empty() ? "--example" : options.input.path);
  DiagnosisQuestion question = options.diagnosis;
  question.models = options.model_names;
  if (question.models == std::vector<std::string>{"all"}) question.models = model_names();
  for (const std::string& setting : options.models.settings) question.settings.push_back("model." + setting);
  Json report = diagnose_models(question, options.machine.apply());
  report["command"] = "inspect";
  options.report.write(report, diagnosis_text(report));
  return ExitCode::success;
}

std::string text_of(const Json& report) {
  const bool full = report.contains("betti");
  Table table({"order", "simplices", "cofaces min", "mean", "max", "lambda bound", full ? "lambda max" : "",
               full ? "Betti" : ""});
  for (const Json& order : report["orders"]) {
    const std::size_t k = order["order"];
    const Json& cofaces = order["cofaces"];
    table.add({std::to_string(k), order["count"].dump(), cofaces["min"].dump(), show(cofaces["mean"]),
               cofaces["max"].dump(), show(order["lambda_bound"]), full ? show(order["lambda_max"]) : "",
               full ? report["betti"][k].dump() : ""});
  }
  std::string text = concat(report["source"].get<std::string>(), "\n", table.text());
  text += concat("Euler characteristic  ", report["euler_characteristic"].dump(), "\n");
  if (full) text += concat("components            ", report["components"].dump(), "\n");
  text += concat("memory                ", show_bytes(report["memory_bytes"]), "\n");
  return report.contains("models") ? text + model_table(report["models"], false) : text;
}

}  // namespace

Command add_inspect(CLI::App& app) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command =
      app.add_subcommand("inspect", "Counts, Betti numbers, star sizes, eigenvalue bounds, memory");
  command->footer("Example:\n  gsan inspect --example annulus --json");
  options->input.add_to(*command, /*is_required=*/false);
  command->add_option("--field", options->homology.field, "the prime p of the field for the Betti numbers")
      ->capture_default_str();
  command->add_flag("--quick", options->quick, "without Betti numbers and largest eigenvalues");
  command
      ->add_option(
          "--model", options->model_names,
          "add the memory of a model's layer, repeated; 'all' for every one that `gsan models` lists")
      ->type_name("NAME")
      ->allow_extra_args(false);
  options->models.add_to(*command);
  command->add_option("--signals", options->signals, "how many signals live on the complex, for --model")
      ->check(CLI::Range(1, 1 << 30))
      ->capture_default_str();
  command
      ->add_option(
          "--data", options->diagnosis.data,
          "with --model, in place of a complex: how its layers respond to this training set before any "
          "step (saturated outputs, spread of log weights, gradients)")
      ->type_name("NAME|FOLDER");
  command->add_option("--task", options->diagnosis.task, "of --data, where several tasks can read it")
      ->type_name("TASK");
  options->machine.add_to(*command);
  options->report.add_to(*command, true);
  command->callback([options] {
    if (!options->input.is_given() && options->diagnosis.data.empty())
      throw CLI::RequiredError("a file, --example NAME, or --model NAME with --data DATA");
  });
  return {command, [options] {
            if (!options->diagnosis.data.empty()) return look_at_training(*options);
            options->homology.max_memory = options->input.reading.limits.max_memory;
            const Json report = inspect(options->input.read(), *options);
            options->report.write(report, text_of(report));
            return ExitCode::success;
          }};
}

}  // namespace gsan::app
