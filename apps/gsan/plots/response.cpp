// gsan plot response: what a filter, or a layer of a trained model, does to each frequency.

#include "gsan/hodge/spectral/response.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "gsan/core/check.h"
#include "gsan/core/long_work.h"
#include "gsan/nn/layer_response.h"
#include "gsan/plot/line_chart.h"
#include "gsan/plot/panels.h"

#include "apps/gsan/console/input.h"
#include "apps/gsan/console/spectrum_choice.h"
#include "apps/gsan/plots/part_series.h"
#include "apps/gsan/plots/picture_output.h"
#include "apps/gsan/plots/plot.h"
#include "apps/gsan/plots/run_layer.h"

namespace gsan::app {
namespace {

constexpr Index small_order = 1000;  // up to here all eigenvectors are taken unless --count asks for less

struct ResponsePlotWords {
  RunLayerOptions layer;
  InputOptions input;
  std::vector<double> filter;
  std::string side = "both";
  bool log = false;
  SpectrumChoice choice;
  CLI::Option* count = nullptr;
  MachineOptions machine;
  PictureOptions picture;
};

HodgeSpectrum spectrum_of(const ComplexOperators& operators, int k, ResponsePlotWords& options) {
  if (options.count->count() == 0 && !options.choice.largest && operators.count(k) <= small_order)
    options.choice.all = true;
  return options.choice.laplacian(operators, k, options.input.reading.limits, /*vectors=*/true);
}

// Curves of the gain, one for each part of the signal that has any; points that are not numbers are left out.
std::vector<Curve> by_part(const std::vector<double>& frequencies, const std::vector<HodgePart>& parts,
                           const std::vector<double>& gain, bool has_lines) {
  std::vector<Curve> curves;
  for (const HodgePart part : all_parts) {
    Curve curve{name_of(part), {}, {}};
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (parts[i] == part && std::isfinite(gain[i]))
        curve.x.push_back(frequencies[i]), curve.y.push_back(gain[i]);
    curve.dots = true, curve.line = has_lines, curve.series = part_series(part);
    if (!curve.x.empty()) curves.push_back(std::move(curve));
  }
  return curves;
}

ExitCode of_layer(ResponsePlotWords& options) {
  const RunLayer made = options.layer.load(options.machine.apply());
  const HodgeSpectrum spectrum = spectrum_of(made.item.operators, made.order, options);
  const LayerResponse response = [&] {
    const LongWork work("response of the layer");
    return layer_response(*made.view.layer, made.item.operators, made.view.input, made.order, spectrum);
  }();
  GSAN_CHECK(!response.terms.empty(), "plot response: order ", made.order,
             " has no term that filters a signal");
  const std::vector<double> frequencies = numbers(response.frequencies);
  Json terms = Json::array();
  std::vector<std::string> pictures;
  const double width = options.picture.width > 0 ? options.picture.width : 1080;
  const auto add = [&](const std::string& name, const Tensor& gain, bool is_exact) {
    const std::vector<Curve> curves = by_part(frequencies, response.parts, numbers(gain), is_exact);
    terms.push_back({{"name", name}, {"exact", is_exact}, {"gain", numbers(gain)}});
    if (curves.empty()) return;
    pictures.push_back(line_chart(curves, {.title = name,
                                           .x_label = concat("eigenvalue of L_", made.order),
                                           .y_label = "gain",
                                           .log_y = options.log,
                                           .width = std::max(200.0, width / 3),
                                           .height = 280}));
  };
  add("whole layer", response.total, response.is_exact);
  for (const TermResponse& term : response.terms)
    add(term.name.starts_with("from") ? term.name : term.name + " term", term.gain, term.is_exact);
  const std::string title =
      !options.picture.title.empty()
          ? options.picture.title
          : concat("Response of ", made.name,
                   response.reads_signals ? ": measured with the operators that this item makes" : "");
  Json parts = Json::array();
  for (const HodgePart part : response.parts) parts.push_back(name_of(part));
  options.picture.write(
      panels(pictures, 3, title),
      {{"command", "plot"},
       {"kind", "response"},
       {"run", options.layer.run},
       {"layer", options.layer.layer},
       {"order", made.order},
       {"exact", response.is_exact},
       {"depends_on_signals", response.reads_signals},
       {"eigenvalues", frequencies},
       {"parts", parts},
       {"terms", terms}},
      concat(made.name, ": gain at ", frequencies.size(), " of ", made.item.operators.count(made.order),
             " eigenvectors of L_", made.order, ", ", response.is_exact ? "exact" : "measured", "\n"));
  return ExitCode::success;
}

ExitCode of_filter(ResponsePlotWords& options) {
  const Input input = options.input.read();
  const int k = options.layer.order < 0 ? 1 : options.layer.order;
  input.file.listed.list(k);  // the order must exist
  const ComplexOperators operators(input.file.listed.complex, options.machine.apply());
  const HodgeSpectrum spectrum = spectrum_of(operators, k, options);
  const Tensor taps = torch::tensor(options.filter, torch::kFloat64);
  const Side side = options.side == "lower"   ? Side::lower
                    : options.side == "upper" ? Side::upper
                                              : Side::both;
  const std::vector<double> frequencies = numbers(spectrum.values);
  const std::vector<double> found = numbers(frequency_response(side_frequencies(spectrum, side), taps, 0));
  std::vector<Curve> curves = by_part(frequencies, spectrum.parts, found, false);
  GSAN_CHECK(!curves.empty(), input.source, ": order ", k, " has no eigenvalues to draw");
  const double end = std::max(frequencies.back(), operators.lambda_max(k).max().item<double>());
  const Tensor fine =
      torch::linspace(0, end, 200, torch::kFloat64);  // the whole spectrum, whatever was computed
  Curve line{"filter", numbers(fine), numbers(frequency_response(fine, taps, 0))};
  line.dashed = true, line.series = 7;
  curves.insert(curves.begin(), std::move(line));
  const std::string name =
      side == Side::both ? concat("L_", k) : concat("L_", k, ", ", options.side, " side");
  options.picture.write(
      line_chart(curves, {.title = options.picture.title.empty() ? concat("Response of a filter of ", name)
                                                                 : options.picture.title,
                          .x_label = concat("eigenvalue of L_", k),
                          .y_label = "response",
                          .log_y = options.log,
                          .width = options.picture.width > 0 ? options.picture.width : 640}),
      {{"command", "plot"},
       {"kind", "response"},
       {"source", input.source},
       {"order", k},
       {"side", options.side},
       {"filter", options.filter},
       {"eigenvalues", frequencies},
       {"response", found}},
      concat(input.source, ": the filter at ", found.size(), " eigenvalues of ", name, "\n"));
  return ExitCode::success;
}

ExitCode run(ResponsePlotWords options) {
  options.picture.format();
  if (!options.layer.run.empty()) {
    GSAN_CHECK(!options.input.is_given() && options.filter.empty(),
               "plot response: RUN draws a trained layer, --filter a filter on a complex; give one of them");
    return of_layer(options);
  }
  GSAN_CHECK(options.input.is_given() && !options.filter.empty(),
             "plot response: give RUN, or a complex (--complex FILE or --example NAME) and --filter");
  return of_filter(options);
}

}  // namespace

Plot add_plot_response(CLI::App& app) {
  auto options = std::make_shared<ResponsePlotWords>();
  CLI::App* kind = app.add_subcommand("response", "What a filter or a trained layer does to each frequency");
  kind->footer(
      "Examples:\n  gsan plot response runs/flow --layer 1 --output response.svg\n"
      "  gsan plot response --example annulus --filter 1,-0.4,0.04 --output filter.svg\n\n"
      "The gain of a term at an eigenvector u of L_k: the root of the energy that it adds to order k when "
      "one\n"
      "input feature carries u and the others nothing, averaged over the input feature. Without attention\n"
      "and learned metric it is a function of the eigenvalue, else measured for one item.");
  options->layer.add_to(*kind, false);
  options->input.add_optional_to(*kind);
  kind->add_option("--filter", options->filter, "c0,c1,...: the polynomial c0 + c1 L + c2 L^2 + ... of L_k")
      ->delimiter(',')
      ->type_name("NUMBERS");
  kind->add_option("--side", options->side, "of --filter: L_k (both), or its lower or upper Laplacian")
      ->check(CLI::IsMember({"both", "lower", "upper"}))
      ->capture_default_str();
  kind->add_flag("--log", options->log, "a logarithmic axis of the gain");
  options->count = options->choice.add_to(
      *kind, concat("how many eigenvectors (default: all up to ", small_order, " simplices, else 10)"));
  options->machine.add_to(*kind);
  options->picture.add_to(*kind);
  return {kind, [options] { return run(*options); }};
}

}  // namespace gsan::app
