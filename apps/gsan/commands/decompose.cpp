// gsan decompose: gradient, curl and harmonic part of a signal, with their energies.

#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "gsan/core/random.h"
#include "gsan/data/formats/number.h"
#include "gsan/data/formats/signal_order.h"
#include "gsan/hodge/decomposition.h"

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
  bool dirac = false, unoriented = false;
  std::vector<std::string> signals;  // [ORDER=]FILE
  std::optional<double> missing;
  SolverOptions solver;
  std::uint64_t seed = 0;
};

/// A signal in the order of the complex and the list that its rows came in.
struct PlacedSignal {
  Signal values;
  ListedSimplices list;
  std::string source;
};

// The files of --signal by order.
std::map<int, std::string> signal_files(const Options& options) {
  std::map<int, std::string> files;
  for (const std::string& text : options.signals) {
    const std::size_t equals = text.find('=');
    const auto order = parse_integer(text.substr(0, equals == std::string::npos ? 0 : equals));
    GSAN_CHECK(order || !options.dirac, "--signal: with --dirac it must read ORDER=FILE, got '", text, "'");
    GSAN_CHECK(!order || options.dirac || *order == options.order, "--signal: '", text, "' is of order ",
               order.value_or(0), ", but --order ", options.order, " is decomposed");
    const int k = order ? static_cast<int>(*order) : options.order;
    GSAN_CHECK(files.emplace(k, order ? text.substr(equals + 1) : text).second, "--signal: order ", k,
               " is given twice");
  }
  return files;
}

// Every simplex needs a value: the given replacement, or an error that names the first one without.
void fill_missing(PlacedSignal& signal, const ListedComplex& listed, std::optional<double> replacement) {
  std::size_t rows = 0, first = 0;
  for (std::size_t i = 0; i < signal.values.rows; ++i) {
    bool missing = false;
    for (double& value : signal.values.row(i)) {
      missing = missing || std::isnan(value);
      if (std::isnan(value) && replacement) value = *replacement;
    }
    if (missing && rows++ == 0) first = i;
  }
  const auto simplex = [&] {
    return listed.labels.text(listed.complex.vertices(signal.list.order, static_cast<Index>(first)));
  };
  GSAN_CHECK(rows == 0 || replacement, signal.source, ": ", rows, " of ", signal.values.rows,
             " simplices of order ", signal.list.order, " have no value, the first is ", simplex(),
             "; list them, or give --missing VALUE");
}

PlacedSignal random_signal_of(const ListedComplex& listed, int k, const Options& options) {
  RandomStream stream = RandomStream(options.seed, "decompose").substream(static_cast<std::uint64_t>(k));
  Signal signal = missing_signal(static_cast<std::size_t>(listed.complex.count(k)), 1);
  for (double& value : signal.values) value = stream.normal();
  return {std::move(signal), listed.list(k), concat("random normal values, seed ", options.seed)};
}

// --signal, else the values that the file itself gives, else random ones for an example.
std::optional<PlacedSignal> signal_of(const Input& input, int k, const Options& options) {
  const ListedComplex& listed = input.file.listed;
  const std::map<int, std::string> files = signal_files(options);
  std::optional<PlacedSignal> placed;
  if (const auto file = files.find(k); file != files.end()) {
    const Signal signal = read_signal(file->second, {.allow_missing = options.missing.has_value()});
    try {
      ListedSimplices list = list_of(signal, listed, k);
      placed = {to_complex_order(signal, list, listed, !options.unoriented), std::move(list), file->second};
    } catch (const Error& error) {
      fail(error.fault(), file->second, ": ", error.what());
    }
  } else if (!options.input.example.empty()) {
    if (files.empty()) placed = random_signal_of(listed, k, options);
  } else if (static_cast<std::size_t>(k) < input.file.values.size() && input.file.values[k].columns > 0) {
    placed = {to_complex_order(input.file.values[k], listed, k, !options.unoriented), listed.list(k),
              concat("the values in ", input.source)};
  }
  if (placed) fill_missing(*placed, listed, options.missing);
  return placed;
}

std::vector<std::string> columns_of(const Signal& signal) {
  if (!signal.names.empty()) return signal.names;
  std::vector<std::string> names;
  for (std::size_t c = 0; c < signal.columns; ++c) names.push_back(std::to_string(c));
  return names;
}

Json energies_of(const HodgeDecomposition& parts, const std::vector<std::string>& columns) {
  const Tensor gradient = parts.gradient_energy.cpu(), curl = parts.curl_energy.cpu(),
               harmonic = parts.harmonic_energy.cpu();
  Json rows = Json::array();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto at = [c](const Tensor& energy) { return energy[static_cast<std::int64_t>(c)].item<double>(); };
    rows.push_back({{"column", columns[c]},
                    {"energy", at(gradient) + at(curl) + at(harmonic)},
                    {"gradient", at(gradient)},
                    {"curl", at(curl)},
                    {"harmonic", at(harmonic)}});
  }
  return rows;
}

std::string text_of(const Json& report) {
  Table table({"order", "column", "energy", "gradient", "%", "curl", "%", "harmonic", "%"});
  std::string signals;
  for (const Json& order : report["orders"]) {
    signals +=
        concat("signal of order ", order["order"].dump(), ": ", order["signal"].get<std::string>(), "\n");
    for (const Json& row : order["energies"]) {
      std::vector<std::string> texts{order["order"].dump(), row["column"].get<std::string>(),
                                     show(row["energy"])};
      const double energy = row["energy"];
      for (const char* part : {"gradient", "curl", "harmonic"}) {
        texts.push_back(show(row[part]));
        texts.push_back(show(energy > 0 ? std::round(1000 * row[part].get<double>() / energy) / 10 : 0));
      }
      table.add(std::move(texts));
    }
  }
  std::string text = concat(report["source"].get<std::string>(), "\n", signals, table.text());
  if (report.contains("components")) {
    for (const Json& component : report["components"]) {
      text += concat("energy of Dirac component ", component["component"].dump(), "  ",
                     show(component["energy"]), "\n");
    }
    text += concat("energy of the harmonic part  ", show(report["harmonic_energy"]), "\n");
  }
  for (const Json& file : report["files"]) text += concat("wrote ", file.get<std::string>(), "\n");
  return text;
}

// Component j holds the curl part of order j − 1 and the gradient part of order j.
void add_components(Json& report, const DiracDecomposition& parts) {
  const auto energy = [](const Tensor& x) { return x.defined() ? x.square().sum().item<double>() : 0.0; };
  const auto total = [&](const Cochains& x) {
    double sum = 0;
    for (const Tensor& part : x) sum += energy(part);
    return sum;
  };
  report["components"] = Json::array();
  for (int j = 1; j < static_cast<int>(parts.orders.size()); ++j) {
    report["components"].push_back({{"component", j}, {"energy", total(parts.component(j))}});
  }
  report["harmonic_energy"] = total(parts.harmonic());
}

ExitCode run(const Options& options) {
  const Input input = options.input.read();
  const std::unique_ptr<OutputFolder> output = options.tables.open();
  const ListedComplex& listed = input.file.listed;
  const torch::Device device = options.machine.apply();
  const ComplexOperators operators(listed.complex, device);
  for (const auto& [k, file] : signal_files(options)) listed.list(k);  // every order must exist
  if (!options.dirac) listed.list(options.order);

  std::vector<std::optional<PlacedSignal>> signals(static_cast<std::size_t>(operators.order() + 1));
  Cochains x(signals.size());
  bool any = false;
  for (int k = 0; k <= operators.order(); ++k) {
    if (options.dirac || k == options.order) signals[k] = signal_of(input, k, options);
    if (signals[k]) x[k] = to_tensor(signals[k]->values, device);
    any = any || signals[k];
  }
  GSAN_CHECK(any || operators.order() < 0, input.source, ": no signal",
             options.dirac ? "" : concat(" of order ", options.order), "; give --signal ",
             options.dirac ? "ORDER=FILE" : "FILE", " (CSV or NPY, one row per listed simplex)");

  const DiracDecomposition parts = dirac_decomposition(operators, x, options.solver);
  Json report{{"command", "decompose"},
              {"source", input.source},
              {"tolerance", options.solver.tolerance},
              {"orders", Json::array()}};
  for (int k = 0; k <= operators.order(); ++k) {
    if (!signals[k]) continue;
    const HodgeDecomposition& order = parts.orders[k];
    report["orders"].push_back(
        {{"order", k},
         {"count", operators.count(k)},
         {"signal", signals[k]->source},
         {"iterations", order.gradient_convergence.iterations + order.curl_convergence.iterations},
         {"residual", std::max(order.gradient_convergence.residual, order.curl_convergence.residual)},
         {"energies", energies_of(order, columns_of(signals[k]->values))}});
  }
  if (options.dirac) add_components(report, parts);
  report["files"] = Json::array();
  if (output) {
    for (int k = 0; k <= operators.order(); ++k) {
      if (!signals[k]) continue;
      const HodgeDecomposition& order = parts.orders[k];
      options.tables.add_tables(*output, "parts",
                                {{"signal", x[k]},
                                 {"gradient", order.gradient},
                                 {"curl", order.curl},
                                 {"harmonic", order.harmonic}},
                                columns_of(signals[k]->values), signals[k]->list, listed,
                                !options.unoriented);
    }
    report["files"] = output->commit();
  }
  options.report.write(report, text_of(report));
  return ExitCode::success;
}

}  // namespace

Command add_decompose(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("decompose", "Gradient, curl and harmonic part of a signal");
  command->footer("Example:\n  gsan decompose --example annulus --order 1 --output parts");
  options->input.add_to(*command);
  CLI::Option* order =
      command->add_option("--order", options->order, "order of the simplices that carry the signal")
          ->check(CLI::NonNegativeNumber)
          ->capture_default_str();
  command->add_flag("--dirac", options->dirac, "decompose a whole signal over all orders")->excludes(order);
  command
      ->add_option("--signal", options->signals,
                   "CSV or NPY, one row per listed simplex of the order; with --dirac ORDER=FILE, repeated")
      ->type_name("FILE");
  command->add_flag("--unoriented", options->unoriented,
                    "values belong to sorted vertices: their sign does not follow the listed vertex order");
  command->add_option("--missing", options->missing,
                      "value of the simplices that have none (default: an error)");
  command->add_option("--tolerance", options->solver.tolerance, "relative error of the parts")
      ->check(CLI::Range(1e-14, 0.1))
      ->capture_default_str();
  command
      ->add_option("--max-iterations", options->solver.max_iterations, "of the solver, for each projection")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_seed(*command, options->seed);
  options->tables.add_to(*command, "the parts");
  options->machine.add_to(*command);
  options->report.add_to(*command, false);
  return {command, [options] { return run(*options); }};
}

}  // namespace gsan::app
