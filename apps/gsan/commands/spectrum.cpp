// gsan spectrum: eigenvalues of a Hodge Laplacian or of the Dirac operator, and the part
// of the Hodge decomposition that each belongs to.

#include "gsan/hodge/spectrum.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "gsan/hodge/harmonic_basis.h"
#include "gsan/topology/homology.h"

#include "apps/gsan/commands/command.h"
#include "apps/gsan/console/input.h"
#include "apps/gsan/console/options.h"
#include "apps/gsan/console/signals.h"
#include "apps/gsan/console/table.h"

namespace gsan::app {
namespace {

struct Options {
  InputOptions input;
  MachineOptions machine;
  ReportOptions report;
  TableOptions tables;
  int order = 1;
  bool dirac = false, all = false, largest = false;
  std::int64_t count = 10;
  double tolerance = SpectrumOptions{}.tolerance;

  SpectrumOptions spectrum() const {
    SpectrumOptions wanted;
    if (!all) wanted.count = count;
    wanted.end = largest ? SpectrumEnd::largest : SpectrumEnd::smallest;
    wanted.tolerance = tolerance;
    wanted.max_memory = input.reading.limits.max_memory;
    return wanted;
  }
};

const char* name_of(HodgePart part) {
  switch (part) {
    case HodgePart::gradient:
      return "gradient";
    case HodgePart::curl:
      return "curl";
    case HodgePart::harmonic:
      return "harmonic";
  }
  return "";
}

std::vector<double> numbers(const Tensor& x) {
  const Tensor values = x.to(torch::kCPU, torch::kFloat64).contiguous();
  return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

// One column per eigenvector: "0", "1", …
std::vector<std::string> column_numbers(const Tensor& vectors) {
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < vectors.size(1); ++i) names.push_back(std::to_string(i));
  return names;
}

// Of L_k. A partial spectrum of the library has no zeros; at the lower end they come first.
HodgeSpectrum laplacian_spectrum(const ComplexOperators& operators, const Options& options) {
  SpectrumOptions wanted = options.spectrum();
  if (options.all || options.largest) return hodge_spectrum(operators, options.order, wanted);
  const Index betti = betti_numbers(operators.complex(), {.max_memory = wanted.max_memory})[options.order];
  const std::int64_t zeros = std::min<std::int64_t>(betti, options.count);
  const bool with_vectors = !options.tables.folder.empty();
  const auto type = torch::TensorOptions(torch::kFloat64).device(operators.device());
  HodgeSpectrum harmonic{torch::zeros({zeros}, type),
                         torch::zeros({operators.count(options.order), zeros}, type),
                         std::vector<HodgePart>(static_cast<std::size_t>(zeros), HodgePart::harmonic)};
  if (with_vectors && zeros > 0) {
    harmonic.vectors =
        harmonic_basis(operators, options.order, {.tolerance = options.tolerance}).narrow(1, 0, zeros);
  }
  if (zeros == options.count) return harmonic;
  wanted.count = options.count - zeros;
  HodgeSpectrum rest = hodge_spectrum(operators, options.order, wanted);
  harmonic.parts.insert(harmonic.parts.end(), rest.parts.begin(), rest.parts.end());
  return {torch::cat({harmonic.values, rest.values}), torch::cat({harmonic.vectors, rest.vectors}, 1),
          harmonic.parts};
}

void describe_laplacian(const ListedComplex& listed, const ComplexOperators& operators,
                        const Options& options, Json& report, Table& table, OutputFolder* output) {
  listed.list(options.order);  // the order must exist
  const HodgeSpectrum spectrum = laplacian_spectrum(operators, options);
  const std::vector<double> values = numbers(spectrum.values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    report["eigenvalues"].push_back({{"value", values[i]}, {"part", name_of(spectrum.parts[i])}});
    table.add({std::to_string(i), show(values[i]), name_of(spectrum.parts[i])});
  }
  if (!output) return;
  options.tables.add_tables(*output, "vectors", {{"vectors", spectrum.vectors}},
                            column_numbers(spectrum.vectors), listed.list(options.order), listed);
}

// Eigenvalues ±σ with vectors [u; ±v]/√2: u on order j − 1, v on order j.
void describe_dirac(const ListedComplex& listed, const ComplexOperators& operators, const Options& options,
                    Json& report, Table& table, OutputFolder* output) {
  const DiracSpectrum spectrum = dirac_spectrum(operators, options.spectrum());
  for (std::size_t j = 1; j <= spectrum.components.size(); ++j) {
    const std::vector<double> values = numbers(spectrum.components[j - 1].values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string part = concat("curl of order ", j - 1, ", gradient of order ", j);
      for (const int sign : {1, -1}) {
        report["eigenvalues"].push_back(
            {{"value", sign * values[i]}, {"component", j}, {"aligned", sign > 0}});
      }
      table.add({std::to_string(i), "+-" + show(values[i]), concat("component ", j, ": ", part)});
    }
  }
  if (options.all) {
    report["harmonic"] = Json::array();
    for (std::size_t k = 0; k < spectrum.harmonic.size(); ++k) {
      report["harmonic"].push_back(spectrum.harmonic[k].size(1));
      table.add({"", "0", concat(spectrum.harmonic[k].size(1), " times, harmonic of order ", k)});
    }
  }
  if (!output) return;
  for (std::size_t j = 1; j <= spectrum.components.size(); ++j) {
    const SingularSpectrum& component = spectrum.components[j - 1];
    const std::string name = concat("component_", j);
    for (const auto& [k, vectors] : {std::pair{j - 1, component.left}, std::pair{j, component.right}}) {
      options.tables.add_tables(*output, name + "_order", {{name, vectors * std::sqrt(0.5)}},
                                column_numbers(vectors), listed.list(static_cast<int>(k)), listed);
    }
  }
}

ExitCode run(const Options& options) {
  const Input input = options.input.read();
  const std::unique_ptr<OutputFolder> output = options.tables.open();
  const ListedComplex& listed = input.file.listed;
  const ComplexOperators operators(listed.complex, options.machine.apply());
  const std::string name = options.dirac ? "the Dirac operator" : concat("L_", options.order);
  Json report{{"command", "spectrum"},
              {"source", input.source},
              {"operator", options.dirac ? "D" : name},
              {"eigenvalues", Json::array()},
              {"files", Json::array()}};
  Table table({"", "eigenvalue", "part"});
  (options.dirac ? describe_dirac : describe_laplacian)(listed, operators, options, report, table,
                                                        output.get());
  if (output) report["files"] = output->commit();
  const std::string which = options.all ? "all" : options.largest ? "largest" : "smallest";
  std::string text = concat(input.source, ": ", which, " eigenvalues of ", name, "\n", table.text());
  for (const Json& file : report["files"]) text += concat("wrote ", file.get<std::string>(), "\n");
  options.report.write(report, text);
  return ExitCode::success;
}

}  // namespace

Command add_spectrum(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("spectrum", "Eigenvalues of a Hodge Laplacian or of the Dirac operator");
  command->footer("Example:\n  gsan spectrum --example annulus --order 1 --count 6");
  options->input.add_to(*command);
  CLI::Option* order = command->add_option("--order", options->order, "the k of the Laplacian L_k")
                           ->check(CLI::NonNegativeNumber)
                           ->capture_default_str();
  command
      ->add_flag("--dirac", options->dirac, "of the Dirac operator: pairs +-sigma of each of its components")
      ->excludes(order);
  CLI::Option* count = command
                           ->add_option("--count", options->count,
                                        "how many, zeros included; with --dirac: pairs of each component")
                           ->check(CLI::PositiveNumber)
                           ->capture_default_str();
  CLI::Option* largest =
      command->add_flag("--largest", options->largest, "from the upper end of the spectrum");
  command->add_flag("--all", options->all, "the whole spectrum, by a dense decomposition")
      ->excludes(count)
      ->excludes(largest);
  command->add_option("--tolerance", options->tolerance, "relative residual of a partial spectrum")
      ->check(CLI::Range(1e-14, 0.1))
      ->capture_default_str();
  options->tables.add_to(*command, "the eigenvectors");
  options->machine.add_to(*command);
  options->report.add_to(*command, false);
  return {command, [options] { return run(*options); }};
}

}  // namespace gsan::app
