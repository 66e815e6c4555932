// gsan plot spectrum: eigenvalues in increasing order as dots, and as a histogram where all of them are
// known.

#include <algorithm>
#include <map>
#include <memory>

#include "gsan/core/check.h"
#include "gsan/plot/histogram.h"
#include "gsan/plot/line_chart.h"
#include "gsan/plot/panels.h"

#include "apps/gsan/console/bounds.h"
#include "apps/gsan/console/input.h"
#include "apps/gsan/console/spectrum_choice.h"
#include "apps/gsan/plots/part_series.h"
#include "apps/gsan/plots/picture_output.h"
#include "apps/gsan/plots/plot.h"

namespace gsan::app {
namespace {

// Up to here the whole spectrum takes seconds, and is drawn unless --count asks for less.
constexpr Index small_order = 2000;

struct SpectrumPlotWords {
  InputOptions input;
  MachineOptions machine;
  PictureOptions picture;
  SpectrumChoice choice;
  CLI::Option* count = nullptr;
  int order = 1;
  std::string op = "laplacian";
};

struct Eigenvalue {
  double value;
  std::string part;
  int series;  // the colour of the part
};

std::vector<Eigenvalue> of_laplacian(const ComplexOperators& operators, const SpectrumPlotWords& options) {
  const HodgeSpectrum spectrum =
      options.choice.laplacian(operators, options.order, options.input.reading.limits, /*vectors=*/false);
  const std::vector<double> values = numbers(spectrum.values);
  std::vector<Eigenvalue> found;
  for (std::size_t i = 0; i < values.size(); ++i)
    found.push_back({values[i], name_of(spectrum.parts[i]), part_series(spectrum.parts[i])});
  return found;
}

std::vector<Eigenvalue> of_dirac(const ComplexOperators& operators, const SpectrumPlotWords& options) {
  const DiracSpectrum spectrum =
      options.choice.dirac(operators, options.input.reading.limits, /*vectors=*/false);
  std::vector<Eigenvalue> found;
  const int components = part_series(HodgePart::harmonic);  // their colours come after those of the parts
  for (std::size_t j = 1; j <= spectrum.components.size(); ++j)
    for (const double value : numbers(spectrum.components[j - 1].values))
      for (const int sign : {1, -1})
        found.push_back({sign * value, concat("component ", j), components + static_cast<int>(j)});
  if (options.choice.all)
    for (const Tensor& harmonic : spectrum.harmonic)
      found.insert(found.end(), static_cast<std::size_t>(harmonic.size(1)),
                   {0, "harmonic", part_series(HodgePart::harmonic)});
  std::stable_sort(found.begin(), found.end(),
                   [](const Eigenvalue& a, const Eigenvalue& b) { return a.value < b.value; });
  return found;
}

std::string draw(const std::vector<Eigenvalue>& found, bool is_complete, const std::string& name,
                 const SpectrumPlotWords& options) {
  std::map<std::string, Curve> by_part;
  std::vector<double> values;
  for (std::size_t i = 0; i < found.size(); ++i) {
    Curve& curve = by_part[found[i].part];
    curve.name = found[i].part, curve.series = found[i].series, curve.line = false, curve.dots = true;
    curve.x.push_back(static_cast<double>(i)), curve.y.push_back(found[i].value);
    values.push_back(found[i].value);
  }
  std::vector<Curve> curves;
  for (auto& [part, curve] : by_part) curves.push_back(std::move(curve));
  const double width = options.picture.width > 0 ? options.picture.width : is_complete ? 1000 : 640;
  const double each = is_complete ? std::max(width / 2, 200.0) : width;
  std::vector<std::string> pictures{
      line_chart(curves, {.x_label = "number", .y_label = "eigenvalue of " + name, .width = each})};
  if (is_complete)
    pictures.push_back(
        histogram(values, 40, {.x_label = "eigenvalue", .y_label = "how many", .width = each}));
  return panels(pictures, 2, options.picture.title.empty() ? "Spectrum of " + name : options.picture.title);
}

ExitCode run(SpectrumPlotWords options) {
  options.picture.format();
  const Input input = options.input.read();
  const SimplicialComplex& complex = input.file.listed.complex;
  const bool is_dirac = options.op == "dirac";
  GSAN_CHECK(complex.order() >= 0, input.source, ": the complex is empty, there is no spectrum to draw");
  if (!is_dirac) input.file.listed.list(options.order);  // the order must exist
  Index size = 0;
  for (int k = 0; k <= complex.order(); ++k) size += is_dirac || k == options.order ? complex.count(k) : 0;
  if (options.count->count() == 0 && !options.choice.largest && size <= small_order)
    options.choice.all = true;

  const ComplexOperators operators(complex, options.machine.apply());
  const std::vector<Eigenvalue> found = (is_dirac ? of_dirac : of_laplacian)(operators, options);
  GSAN_CHECK(!found.empty(), input.source, ": no eigenvalues; a Dirac operator needs edges");
  const std::string name = is_dirac ? "the Dirac operator" : concat("L_", options.order);
  Json report{{"command", "plot"},      {"kind", "spectrum"},
              {"source", input.source}, {"operator", is_dirac ? "D" : name},
              {"count", found.size()},  {"complete", options.choice.all}};
  options.picture.write(
      draw(found, options.choice.all, name, options), report,
      concat(input.source, ": ", found.size(), " of ", size, " eigenvalues of ", name, "\n"));
  return ExitCode::success;
}

}  // namespace

Plot add_plot_spectrum(CLI::App& app) {
  auto options = std::make_shared<SpectrumPlotWords>();
  CLI::App* kind =
      app.add_subcommand("spectrum", "Eigenvalues of a Hodge Laplacian or of the Dirac operator");
  kind->footer("Example:\n  gsan plot spectrum --example annulus --order 1 --output spectrum.svg");
  options->input.add_to(*kind);
  kind->add_option("--operator", options->op, "laplacian or dirac")
      ->check(CLI::IsMember({"laplacian", "dirac"}))
      ->capture_default_str();
  kind->add_option("--order", options->order, "the k of the Laplacian L_k")
      ->check(not_negative())
      ->capture_default_str();
  options->count = options->choice.add_to(
      *kind, concat("how many (default: all up to ", small_order, " simplices, else 10)"));
  options->machine.add_to(*kind);
  options->picture.add_to(*kind);
  return {kind, [options] { return run(*options); }};
}

}  // namespace gsan::app
