// gsan models: the published architectures that the layer spans, with their size and cost.

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "apps/gsan/commands/command.h"
#include "apps/gsan/console/input.h"
#include "apps/gsan/console/model_options.h"
#include "apps/gsan/console/model_report.h"
#include "apps/gsan/console/options.h"
#include "apps/gsan/console/table.h"

namespace gsan::app {
namespace {

struct ModelsOptions {
  std::string name;  // empty: all
  InputOptions input;
  ModelChoice models;
  ReportOptions report;
  std::optional<int> order;
  std::int64_t signals = 1;
};

Json report_of(const ModelsOptions& options) {
  Json report{{"command", "models"}};
  std::optional<ComplexSize> size;
  int order = options.order.value_or(2);
  if (options.input.is_given()) {
    const Input input = options.input.read();
    const SimplicialComplex& complex = input.file.listed.complex;
    order = options.order.value_or(std::max(complex.order(), 0));
    size.emplace(complex, order);
    size->signals = options.signals;
    report["source"] = input.source;
    report["signals"] = options.signals;
  }
  const PresetArguments& widths = options.models.arguments;
  report["in_channels"] = widths.in_channels;
  report["out_channels"] = widths.out_channels;
  report["heads"] = widths.heads;
  report["order"] = order;
  report["models"] = Json::array();
  const auto add = [&](const ModelEntry& entry) {
    report["models"].push_back(model_json(entry, size ? &*size : nullptr));
  };
  if (!options.name.empty()) {
    add(options.models.find(options.name, order));
  } else {
    for (const ModelEntry& entry : options.models.all(order)) add(entry);
  }
  return report;
}

std::string heading(const Json& report) {
  std::string text =
      concat("one layer, ", report["in_channels"].dump(), " to ", report["out_channels"].dump(),
             " features, ", report["heads"].dump(), " head(s), orders 0 ... ", report["order"].dump());
  if (report.contains("source"))
    text += concat(", ", report["signals"].dump(), " signal(s) on ", report["source"].get<std::string>());
  return text + "\n";
}

// The kinds of a group of numbers, those that are zero left out.
std::string part_lines(const char* title, const Json& numbers,
                       const std::function<std::string(const Json&)>& show_number) {
  std::string text = concat(title, "  ", show_number(numbers["total"]), "\n");
  Table table({"  kind", ""});
  for (const auto& [kind, number] : numbers.items())
    if (kind != "total" && number != 0) table.add({"  " + kind, show_number(number)});
  const std::string rows = table.text();
  return text + rows.substr(rows.find('\n') + 1);
}

std::string detail(const Json& model) {
  std::string text = concat(model["name"].get<std::string>(), ": ", model["equation"].get<std::string>(),
                            "\n", model["citation"].get<std::string>(), "\n");
  if (model.contains("parameters"))
    text += part_lines("parameters", model["parameters"], [](const Json& number) { return number.dump(); });
  if (model.contains("terms")) {
    Table terms({"order", "side", "of", "powers", "shift", "weight", "attention"});
    for (const Json& term : model["terms"]) {
      terms.add({term["order"].dump(), term["side"].get<std::string>(), term["use"].get<std::string>(),
                 concat(term["first_power"].dump(), " ... ", term["last_power"].dump()),
                 term["shift"].get<std::string>(), term["weight"].get<std::string>(),
                 term.contains("attention") ? term["attention"].get<std::string>() : "-"});
    }
    text += concat("terms\n", terms.text());
  }
  if (model.contains("cost")) {
    text += part_lines("flops", model["cost"]["flops"], [](const Json& number) { return show(number); });
    text += part_lines("memory", model["cost"]["bytes"], [](const Json& number) {
      return show_bytes(static_cast<std::size_t>(number.get<double>()));
    });
  }
  if (model["options"].empty()) return text;
  Table settings({"option", "value"});
  for (const auto& [name, value] : model["options"].items()) settings.add({name, value.get<std::string>()});
  return text + settings.text();
}

}  // namespace

Command add_models(CLI::App& app) {
  auto options = std::make_shared<ModelsOptions>();
  CLI::App* command = app.add_subcommand("models", "Published architectures, their parameters and cost");
  command->footer("Example:\n  gsan models gsan --in 32 --out 32 --length 2 --example annulus");
  command->add_option("name", options->name, "one model in detail (default: a list of all)");
  options->input.add_optional_to(*command);
  options->models.add_to(*command);
  command
      ->add_option("--order", options->order,
                   "largest order of the complexes (default: of the complex, else 2)")
      ->check(CLI::Range(0, 63));
  command->add_option("--signals", options->signals, "how many signals live on the complex")
      ->check(CLI::Range(1, 1 << 30))
      ->capture_default_str();
  options->report.add_to(*command, true);
  return {command, [options] {
            const Json report = report_of(*options);
            const std::string body =
                options->name.empty() ? model_table(report["models"], true) : detail(report["models"][0]);
            options->report.write(report, heading(report) + body);
            return ExitCode::success;
          }};
}

}  // namespace gsan::app
