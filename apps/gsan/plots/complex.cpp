// gsan plot complex: vertices, edges and triangles, and signals on them.

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "gsan/core/check.h"

#include "apps/gsan/console/bounds.h"
#include "apps/gsan/console/signal_sources.h"
#include "apps/gsan/plots/complex_source.h"
#include "apps/gsan/plots/plot.h"

namespace gsan::app {
namespace {

struct ComplexPlotWords {
  ComplexSource source;
  SignalSources signals;
  PictureOptions picture;
  std::string column;
  int order = 1;

  // Where every file says its order, --order is not needed.
  std::optional<int> only_order() const {
    const bool all_say = std::all_of(signals.files.begin(), signals.files.end(), [](const std::string& file) {
      const std::size_t digits = file.find_first_not_of("0123456789");
      return digits != 0 && digits != std::string::npos && file[digits] == '=';
    });
    return all_say ? std::nullopt : std::optional(order);
  }
};

std::vector<OrderSignal> read_signals(const DrawnComplex& drawn, ComplexPlotWords options) {
  options.signals.missing = std::numeric_limits<double>::quiet_NaN();  // drawn as "no value"
  std::vector<OrderSignal> signals;
  for (const auto& [k, file] : options.signals.by_order(options.only_order())) {
    drawn.input.file.listed.list(k);  // the order must exist
    const auto placed = options.signals.on(drawn.input, k, options.only_order());
    const std::size_t column = find_column(placed->columns(), options.column, placed->source);
    signals.push_back({placed->columns()[column], k, column_of(placed->values, column)});
  }
  return signals;
}

ExitCode run(const ComplexPlotWords& options) {
  const PictureFormat format = options.picture.format();
  const DrawnComplex drawn = options.source.read();
  const std::vector<OrderSignal> signals = read_signals(drawn, options);
  const SimplicialComplex& complex = drawn.complex();
  Json report{{"command", "plot"}, {"kind", "complex"}, {"source", drawn.input.source}};
  report["coordinates"] = drawn.dimension > 0 ? Json(drawn.dimension) : Json(options.source.layout);
  report["counts"] = Json::array();
  for (int k = 0; k <= complex.order(); ++k) report["counts"].push_back(complex.count(k));
  std::string text = concat(drawn.input.source, ": ", complex.count(0), " vertices, ", complex.count(1),
                            " edges, ", complex.count(2), " triangles\n");
  if (format == PictureFormat::vtu) {
    options.picture.write_content(vtu_of(drawn, signals), std::move(report), text);
    return ExitCode::success;
  }
  ComplexPictureOptions picture{.title = options.picture.title, .labels = drawn.labels};
  if (picture.title.empty()) picture.title = drawn.input.source;
  if (options.picture.width > 0) picture.width = options.picture.width;
  picture.is_oriented = !options.signals.unoriented;
  picture.signals.resize(3);
  for (const OrderSignal& signal : signals) {
    GSAN_CHECK(signal.order <= 2, "--signal: order ", signal.order,
               " is not drawn; pictures show orders 0 to 2, write a .vtu for order 3");
    picture.signals[static_cast<std::size_t>(signal.order)] = signal.values;
  }
  const ComplexPicture drawing = complex_picture(complex, drawn.places, picture);
  report["remarks"] = drawing.remarks;
  for (const std::string& remark : drawing.remarks) text += remark + "\n";
  options.picture.write(drawing.svg, std::move(report), text);
  return ExitCode::success;
}

}  // namespace

Plot add_plot_complex(CLI::App& app) {
  auto options = std::make_shared<ComplexPlotWords>();
  CLI::App* kind = app.add_subcommand("complex", "A complex, with signals on vertices, edges and triangles");
  kind->footer("Example:\n  gsan plot complex --example annulus --output annulus.svg");
  options->source.add_to(*kind);
  kind->add_option("--order", options->order, "order of the simplices that carry the signal")
      ->check(not_negative())
      ->capture_default_str();
  kind->add_option(
          "--signal", options->signals.files,
          "CSV or NPY, one row per listed simplex of the order; ORDER=FILE, repeated, for several orders")
      ->type_name("FILE");
  kind->add_option("--column", options->column, "name or number of the signal's column (default: the first)");
  kind->add_flag("--unoriented", options->signals.unoriented,
                 "values belong to sorted vertices and have no direction: no arrows");
  options->picture.add_to(*kind, /*allows_vtu=*/true);
  return {kind, [options] { return run(*options); }};
}

}  // namespace gsan::app
