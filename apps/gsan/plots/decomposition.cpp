// gsan plot decomposition: a signal and its gradient, curl and harmonic part side by side, with their
// energies.

#include "apps/gsan/console/decomposition.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "gsan/core/check.h"
#include "gsan/plot/panels.h"

#include "apps/gsan/console/bounds.h"
#include "apps/gsan/console/signal_sources.h"
#include "apps/gsan/console/signals.h"
#include "apps/gsan/console/table.h"
#include "apps/gsan/plots/complex_source.h"
#include "apps/gsan/plots/plot.h"

namespace gsan::app {
namespace {

struct DecompositionPlotWords {
  ComplexSource source;
  SignalSources signals;
  SolverOptions solver;
  MachineOptions machine;
  PictureOptions picture;
  std::string column;
  int order = 1;
};

struct Part {
  std::string name;
  OrderSignal signal;
  double energy;
};

// The signal and its three parts; column `c` of each.
std::vector<Part> parts_of(const PlacedSignal& signal, std::size_t c, const HodgeDecomposition& parts, int k,
                           const Json& energies) {
  std::vector<Part> found;
  found.push_back({"signal", {"signal", k, column_of(signal.values, c)}, energies["energy"]});
  for (const auto& [name, values] :
       {std::pair{"gradient", parts.gradient}, {"curl", parts.curl}, {"harmonic", parts.harmonic}})
    found.push_back({name, {name, k, column_of(to_signal(values), c)}, energies[name]});
  return found;
}

// All four in the colours of one scale, so that they can be compared.
std::string draw(const DrawnComplex& drawn, const std::vector<Part>& parts,
                 const DecompositionPlotWords& options, std::vector<std::string>& remarks) {
  double largest = 0;
  for (const Part& part : parts)
    for (const double value : part.signal.values) largest = std::max(largest, std::abs(value));
  const double width = options.picture.width > 0 ? options.picture.width : 1200;
  const std::size_t columns = width >= 800 ? 4 : 2;
  std::vector<std::string> pictures;
  for (const Part& part : parts) {
    ComplexPictureOptions picture{.labels = drawn.labels};
    const bool is_whole = pictures.empty();
    picture.title = (is_whole ? "" : pictures.size() == 1 ? "= " : "+ ") + part.name;
    picture.subtitle =
        concat("energy ", show(part.energy),
               is_whole ? "" : concat(" (", show(percent_of(part.energy, parts[0].energy)), " %)"));
    picture.width = std::max(150.0, width / static_cast<double>(columns));
    picture.signals.resize(3);
    picture.signals[static_cast<std::size_t>(part.signal.order)] = part.signal.values;
    picture.is_oriented = !options.signals.unoriented;
    picture.full_strength = largest;
    picture.max_elements = 5000;  // four pictures share the 10 MB of one
    ComplexPicture drawing = complex_picture(drawn.complex(), drawn.places, picture);
    if (is_whole) remarks = std::move(drawing.remarks);
    pictures.push_back(std::move(drawing.svg));
  }
  return panels(pictures, columns, options.picture.title);
}

ExitCode run(const DecompositionPlotWords& options) {
  const PictureFormat format = options.picture.format();
  const DrawnComplex drawn = options.source.read();
  const int k = options.order;
  drawn.input.file.listed.list(k);  // the order must exist
  GSAN_CHECK(k <= 2 || format == PictureFormat::vtu, "--order: pictures show signals of orders 0 to 2, got ",
             k, "; write a .vtu for order 3");
  const auto signal = options.signals.on(drawn.input, k, k);
  GSAN_CHECK(signal, drawn.input.source, ": no signal of order ", k,
             "; give --signal FILE (CSV or NPY, one row per listed simplex)");
  const std::size_t c = find_column(signal->columns(), options.column, signal->source);
  const ComplexOperators operators(drawn.complex(), options.machine.apply());
  const HodgeDecomposition split =
      hodge_decomposition(operators, k, to_tensor(signal->values, operators.device()), options.solver);
  const Json energies = energies_json(split, signal->columns())[c];
  const std::vector<Part> parts = parts_of(*signal, c, split, k, energies);

  Json report{{"command", "plot"}, {"kind", "decomposition"},  {"source", drawn.input.source},
              {"order", k},        {"signal", signal->source}, {"energies", energies}};
  Table table({"part", "energy", "%"});
  for (const Part& part : parts)
    table.add({part.name, show(part.energy), show(percent_of(part.energy, parts[0].energy))});
  std::string text =
      concat(drawn.input.source, "\nsignal of order ", k, ": ", signal->source, "\n", table.text());
  if (format == PictureFormat::vtu) {
    std::vector<OrderSignal> signals;
    for (const Part& part : parts) signals.push_back(part.signal);
    options.picture.write_content(vtu_of(drawn, signals), std::move(report), text);
    return ExitCode::success;
  }
  std::vector<std::string> remarks;
  const std::string svg = draw(drawn, parts, options, remarks);
  report["remarks"] = remarks;
  for (const std::string& remark : remarks) text += remark + "\n";
  options.picture.write(svg, std::move(report), text);
  return ExitCode::success;
}

}  // namespace

Plot add_plot_decomposition(CLI::App& app) {
  auto options = std::make_shared<DecompositionPlotWords>();
  CLI::App* kind =
      app.add_subcommand("decomposition", "A signal = gradient + curl + harmonic part, side by side");
  kind->footer("Example:\n  gsan plot decomposition --example annulus --order 1 --output parts.svg");
  options->source.add_to(*kind);
  kind->add_option("--order", options->order, "order of the simplices that carry the signal")
      ->check(not_negative())
      ->capture_default_str();
  options->signals.add_to(*kind);
  kind->add_option("--column", options->column, "name or number of the signal's column (default: the first)");
  add_solver_options(*kind, options->solver);
  options->signals.add_seed_to(*kind);
  options->machine.add_to(*kind);
  options->picture.add_to(*kind, /*allows_vtu=*/true);
  return {kind, [options] { return run(*options); }};
}

}  // namespace gsan::app
