// gsan decompose: gradient, curl and harmonic part of a signal, with their energies.

#include <memory>
#include <optional>

#include "gsan/hodge/decomposition.h"

#include "apps/gsan/commands/command.h"
#include "apps/gsan/console/decomposition.h"
#include "apps/gsan/console/hodge_options.h"
#include "apps/gsan/console/signal_sources.h"
#include "apps/gsan/console/table.h"

namespace gsan::app {
namespace {

struct Options : HodgeOptions {
  SignalSources signals;
  SolverOptions solver;

  std::optional<int> only_order() const { return dirac ? std::nullopt : std::optional(order); }
};

using Signals = std::vector<std::optional<PlacedSignal>>;  // per order

Signals read_signals(const HodgeInput& work, const Options& options) {
  for (const auto& [k, file] : options.signals.by_order(options.only_order()))
    work.listed().list(k);  // every order must exist
  Signals signals(static_cast<std::size_t>(work.operators.order() + 1));
  bool any = signals.empty();
  for (int k = 0; k <= work.operators.order(); ++k) {
    if (options.dirac || k == options.order)
      signals[k] = options.signals.on(work.input, k, options.only_order());
    any = any || signals[k];
  }
  GSAN_CHECK(any, work.input.source, ": no signal", options.dirac ? "" : concat(" of order ", options.order),
             "; give --signal ", options.dirac ? "ORDER=FILE" : "FILE",
             " (CSV or NPY, one row per listed simplex)");
  return signals;
}

// Numbers that are never negative are hardly flows.
bool looks_like_counts(const PlacedSignal& signal, int k) {
  const auto& values = signal.values.values;
  return k > 0 && std::none_of(values.begin(), values.end(), [](double value) { return value < 0; }) &&
         std::any_of(values.begin(), values.end(), [](double value) { return value > 0; });
}

Json order_json(int k, const HodgeDecomposition& parts, const PlacedSignal& signal) {
  return {{"order", k},
          {"count", signal.values.rows},
          {"signal", signal.source},
          {"is_never_negative", looks_like_counts(signal, k)},
          {"iterations", parts.gradient_convergence.iterations + parts.curl_convergence.iterations},
          {"residual", std::max(parts.gradient_convergence.residual, parts.curl_convergence.residual)},
          {"energies", energies_json(parts, signal.columns())}};
}

// Component j holds the curl part of order j − 1 and the gradient part of order j.
void add_components(Json& report, const DiracDecomposition& parts) {
  const auto total = [](const Cochains& x) {
    double sum = 0;
    for (const Tensor& part : x)
      if (part.defined()) sum += part.square().sum().item<double>();
    return sum;
  };
  report["components"] = Json::array();
  for (int j = 1; j < static_cast<int>(parts.orders.size()); ++j)
    report["components"].push_back({{"component", j}, {"energy", total(parts.component(j))}});
  report["harmonic_energy"] = total(parts.harmonic());
}

std::string text_of(const Json& report) {
  Table table({"order", "column", "energy", "gradient", "%", "curl", "%", "harmonic", "%"});
  std::string text = report["source"].get<std::string>() + "\n";
  for (const Json& order : report["orders"]) {
    text += concat("signal of order ", order["order"].dump(), ": ", order["signal"].get<std::string>(), "\n");
    for (const Json& row : order["energies"]) {
      const double energy = row["energy"];
      std::vector<std::string> texts{order["order"].dump(), row["column"].get<std::string>(), show(energy)};
      for (const char* part : {"gradient", "curl", "harmonic"}) {
        texts.push_back(show(row[part]));
        texts.push_back(show(percent_of(row[part], energy)));
      }
      table.add(std::move(texts));
    }
  }
  text += table.text();
  for (const Json& order : report["orders"])
    if (order["is_never_negative"])
      text +=
          concat("note: no value of order ", order["order"].dump(),
                 " is negative, as of counts; they were taken as flows from smaller to larger vertices, and "
                 "another numbering of the vertices gives other parts\n");
  if (!report.contains("components")) return text;
  for (const Json& component : report["components"])
    text += concat("energy of Dirac component ", component["component"].dump(), "  ",
                   show(component["energy"]), "\n");
  return text + concat("energy of the harmonic part  ", show(report["harmonic_energy"]), "\n");
}

ExitCode run(const Options& options) {
  const HodgeInput work(options);
  const Signals signals = read_signals(work, options);
  Cochains x(signals.size());
  for (std::size_t k = 0; k < signals.size(); ++k)
    if (signals[k]) x[k] = to_tensor(signals[k]->values, work.operators.device());
  const DiracDecomposition parts = dirac_decomposition(work.operators, x, options.solver);

  Json report{{"command", "decompose"},
              {"source", work.input.source},
              {"tolerance", options.solver.tolerance},
              {"orders", Json::array()}};
  for (std::size_t k = 0; k < signals.size(); ++k) {
    if (!signals[k]) continue;
    const HodgeDecomposition& order = parts.orders[k];
    report["orders"].push_back(order_json(static_cast<int>(k), order, *signals[k]));
    if (!work.output) continue;
    options.tables.add_tables(
        *work.output, "parts",
        {{"signal", x[k]}, {"gradient", order.gradient}, {"curl", order.curl}, {"harmonic", order.harmonic}},
        signals[k]->columns(), signals[k]->list, work.listed(), !options.signals.unoriented);
  }
  if (options.dirac) add_components(report, parts);
  report["files"] = work.output ? work.output->commit() : std::vector<std::string>();
  options.report.write(report, text_of(report));
  return ExitCode::success;
}

}  // namespace

Command add_decompose(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("decompose", "Gradient, curl and harmonic part of a signal");
  command->footer("Example:\n  gsan decompose --example annulus --order 1 --output parts");
  options->add_to(*command, "order of the simplices that carry the signal",
                  "decompose a whole signal over all orders");
  options->signals.add_to(*command);
  add_solver_options(*command, options->solver);
  options->signals.add_seed_to(*command);
  options->add_output_to(*command, "the parts");
  return {command, [options] { return run(*options); }};
}

}  // namespace gsan::app
