// gsan check: the laws that every complex must obey, measured on the user's own.

#include <memory>

#include "gsan/laws/laws.h"

#include "apps/gsan/commands/command.h"
#include "apps/gsan/console/input.h"
#include "apps/gsan/console/options.h"
#include "apps/gsan/console/table.h"

namespace gsan::app {
namespace {

using laws::Law;

struct CheckOptions {
  InputOptions input;
  MachineOptions machine;
  ReportOptions report;
  laws::LawOptions laws;
};

std::string text_of(const std::vector<Law>& laws, const std::string& source) {
  std::size_t broken = 0, skipped = 0;
  Table table({"", "law", "measured", "bound", "what is measured"});
  for (const Law& law : laws) {
    if (law.is_skipped()) {
      table.add({"skip", law.name, "-", show(law.bound), concat("not measured: ", law.skipped)});
    } else {
      table.add(
          {law.is_broken() ? "FAIL" : "pass", law.name, show(law.measured), show(law.bound), law.statement});
    }
    broken += law.is_broken();
    skipped += law.is_skipped();
  }
  std::string verdict =
      broken == 0 ? "every law holds" : concat(broken, " of ", laws.size(), " laws are broken");
  if (skipped > 0) verdict += concat(broken == 0 ? " that was measured; " : "; ", skipped, " skipped");
  return concat(source, "\n", table.text(), verdict, "\n");
}

Json law_json(const Law& law) {
  Json json{{"name", law.name}, {"statement", law.statement}};
  json["measured"] = law.is_skipped() ? Json() : Json(law.measured);
  json["bound"] = law.bound;
  json["passed"] = law.is_skipped() ? Json() : Json(!law.is_broken());
  if (law.is_skipped()) json["skipped"] = law.skipped;
  return json;
}

}  // namespace

Command add_check(CLI::App& app) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "Measure the laws of operators and layers on a complex");
  command->footer("Example:\n  gsan check --example annulus");
  options->input.add_to(*command);
  command->add_option("--tolerance", options->laws.tolerance, "relative error allowed to iterative solvers")
      ->check(CLI::Range(1e-14, 1.0))
      ->capture_default_str();
  command
      ->add_option("--field", options->laws.homology.field, "the prime p of the field for the Betti numbers")
      ->capture_default_str();
  add_seed(*command, options->laws.seed);
  options->machine.add_to(*command);
  options->report.add_to(*command, true);
  return {command, [options] {
            const Input input = options->input.read();
            options->laws.homology.max_memory = options->input.reading.limits.max_memory;
            const ComplexOperators operators(
                input.file.listed.complex,
                {.device = options->machine.apply(), .max_memory = options->input.reading.limits.max_memory});
            const std::vector<Law> measured = laws::measure_laws(operators, options->laws);
            Json report{
                {"command", "check"}, {"source", input.source}, {"passed", true}, {"laws", Json::array()}};
            for (const Law& law : measured) {
              report["laws"].push_back(law_json(law));
              if (law.is_broken()) report["passed"] = false;
            }
            options->report.write(report, text_of(measured, input.source));
            return report["passed"] ? ExitCode::success : ExitCode::law_broken;
          }};
}

}  // namespace gsan::app
