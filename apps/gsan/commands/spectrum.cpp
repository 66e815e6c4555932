// gsan spectrum: eigenvalues of a Hodge Laplacian or of the Dirac operator, and the part
// of the Hodge decomposition that each belongs to.

#include "gsan/hodge/spectral/spectrum.h"

#include <cmath>
#include <memory>

#include "apps/gsan/commands/command.h"
#include "apps/gsan/console/hodge_options.h"
#include "apps/gsan/console/spectrum_choice.h"
#include "apps/gsan/console/table.h"

namespace gsan::app {
namespace {

struct Options : HodgeOptions {
  SpectrumChoice choice;
};

// One column per eigenvector: "0", "1", …
std::vector<std::string> column_numbers(const Tensor& vectors) {
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < vectors.size(1); ++i) names.push_back(std::to_string(i));
  return names;
}

void add_laplacian(const HodgeInput& work, const Options& options, Json& report, Table& table) {
  const HodgeSpectrum spectrum = options.choice.laplacian(
      work.operators, options.order, options.input.reading.limits, work.output != nullptr);
  const std::vector<double> values = numbers(spectrum.values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    report["eigenvalues"].push_back({{"value", values[i]}, {"part", name_of(spectrum.parts[i])}});
    table.add({std::to_string(i), show(values[i]), name_of(spectrum.parts[i])});
  }
  if (!work.output) return;
  options.tables.add_tables(*work.output, "vectors", {{"vectors", spectrum.vectors}},
                            column_numbers(spectrum.vectors), work.listed().list(options.order),
                            work.listed());
}

// Eigenvalues ±σ with vectors [u; ±v]/√2: u on order j − 1, v on order j.
void add_dirac(const HodgeInput& work, const Options& options, Json& report, Table& table) {
  const DiracSpectrum spectrum =
      options.choice.dirac(work.operators, options.input.reading.limits, work.output != nullptr);
  for (std::size_t j = 1; j <= spectrum.components.size(); ++j) {
    const SingularSpectrum& component = spectrum.components[j - 1];
    const std::vector<double> values = numbers(component.values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (const int sign : {1, -1})
        report["eigenvalues"].push_back(
            {{"value", sign * values[i]}, {"component", j}, {"aligned", sign > 0}});
      table.add({std::to_string(i), "+-" + show(values[i]),
                 concat("component ", j, ": curl of order ", j - 1, ", gradient of order ", j)});
    }
    if (!work.output) continue;
    const std::string name = concat("component_", j);
    for (const auto& [k, vectors] : {std::pair{j - 1, component.left}, std::pair{j, component.right}})
      options.tables.add_tables(*work.output, name + "_order", {{name, vectors * std::sqrt(0.5)}},
                                column_numbers(vectors), work.listed().list(static_cast<int>(k)),
                                work.listed());
  }
  if (!options.choice.all) return;
  report["harmonic"] = Json::array();
  for (std::size_t k = 0; k < spectrum.harmonic.size(); ++k) {
    report["harmonic"].push_back(spectrum.harmonic[k].size(1));
    table.add({"", "0", concat(spectrum.harmonic[k].size(1), " times, harmonic of order ", k)});
  }
}

ExitCode run(const Options& options) {
  const HodgeInput work(options);
  const std::string name = options.dirac ? "the Dirac operator" : concat("L_", options.order);
  Json report{{"command", "spectrum"},
              {"source", work.input.source},
              {"operator", options.dirac ? "D" : name},
              {"eigenvalues", Json::array()},
              {"files", Json::array()}};
  Table table({"", "eigenvalue", "part"});
  (options.dirac ? add_dirac : add_laplacian)(work, options, report, table);
  if (work.output) report["files"] = work.output->commit();
  const char* which = options.choice.all       ? "all"
                      : options.choice.largest ? "largest"
                      : options.choice.nonzero ? "smallest non-zero"
                                               : "smallest";
  options.report.write(report,
                       concat(work.input.source, ": ", which, " eigenvalues of ", name, "\n", table.text()));
  return ExitCode::success;
}

}  // namespace

Command add_spectrum(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("spectrum", "Eigenvalues of a Hodge Laplacian or of the Dirac operator");
  command->footer("Example:\n  gsan spectrum --example annulus --order 1 --count 6");
  options->add_to(*command, "the k of the Laplacian L_k",
                  "of the Dirac operator: pairs +-sigma of each of its components");
  options->choice.add_to(*command, "how many, zeros included; with --dirac: pairs of each component");
  CLI::Option* nonzero = command->add_flag("--nonzero", options->choice.nonzero,
                                           "without the zeros, which belong to the harmonic part");
  for (const char* other : {"--largest", "--all", "--dirac"}) nonzero->excludes(command->get_option(other));
  options->add_output_to(*command, "the eigenvectors");
  return {command, [options] { return run(*options); }};
}

}  // namespace gsan::app
