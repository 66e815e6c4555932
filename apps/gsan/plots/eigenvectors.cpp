// gsan plot eigenvectors: eigenvectors of a Hodge Laplacian as small multiples; those of eigenvalue 0 are the
// harmonic generators, one for each hole.

#include <algorithm>
#include <memory>

#include "gsan/core/check.h"
#include "gsan/plot/panels.h"

#include "apps/gsan/console/bounds.h"
#include "apps/gsan/console/signals.h"
#include "apps/gsan/console/spectrum_choice.h"
#include "apps/gsan/console/table.h"
#include "apps/gsan/plots/complex_source.h"
#include "apps/gsan/plots/plot.h"

namespace gsan::app {
namespace {

struct EigenvectorsPlotWords {
  ComplexSource source;
  MachineOptions machine;
  PictureOptions picture;
  SpectrumChoice choice{.count = 6};
  int order = 1;
};

std::string draw(const DrawnComplex& drawn, const HodgeSpectrum& spectrum,
                 const std::vector<OrderSignal>& vectors, const EigenvectorsPlotWords& options,
                 std::vector<std::string>& remarks) {
  const std::vector<double> values = numbers(spectrum.values);
  const double width = options.picture.width > 0 ? options.picture.width : 1200;
  const std::size_t columns = std::min<std::size_t>(vectors.size(), width >= 800 ? 3 : 2);
  std::vector<std::string> pictures;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    ComplexPictureOptions picture{.labels = drawn.labels};
    picture.title = concat("λ", " = ", show(values[i]));
    picture.subtitle =
        spectrum.parts[i] == HodgePart::harmonic ? "harmonic generator" : name_of(spectrum.parts[i]);
    picture.width = std::max(150.0, width / static_cast<double>(columns));
    picture.signals.resize(3);
    picture.signals[static_cast<std::size_t>(options.order)] = vectors[i].values;
    picture.max_elements = std::max<std::size_t>(20000 / vectors.size(), 1);  // all of them in 10 MB
    ComplexPicture drawing = complex_picture(drawn.complex(), drawn.places, picture);
    if (i == 0) remarks = std::move(drawing.remarks);
    pictures.push_back(std::move(drawing.svg));
  }
  return panels(
      pictures, columns,
      options.picture.title.empty() ? concat("Eigenvectors of L_", options.order) : options.picture.title);
}

ExitCode run(const EigenvectorsPlotWords& options) {
  const PictureFormat format = options.picture.format();
  const DrawnComplex drawn = options.source.read();
  drawn.input.file.listed.list(options.order);  // the order must exist
  GSAN_CHECK(options.order <= 2 || format == PictureFormat::vtu,
             "--order: pictures show signals of orders 0 to 2, got ", options.order,
             "; write a .vtu for order 3");
  const ComplexOperators operators(drawn.complex(), options.machine.apply());
  const HodgeSpectrum spectrum =
      options.choice.laplacian(operators, options.order, options.source.input.reading.limits, true);
  const Signal columns = to_signal(spectrum.vectors);
  GSAN_CHECK(columns.columns > 0, drawn.input.source, ": L_", options.order, " has no eigenvectors to draw");
  std::vector<OrderSignal> vectors;
  Json report{{"command", "plot"},
              {"kind", "eigenvectors"},
              {"source", drawn.input.source},
              {"order", options.order},
              {"eigenvalues", Json::array()}};
  Table table({"", "eigenvalue", "part"});
  const std::vector<double> values = numbers(spectrum.values);
  for (std::size_t i = 0; i < columns.columns; ++i) {
    vectors.push_back({concat("eigenvector ", i), options.order, column_of(columns, i)});
    report["eigenvalues"].push_back({{"value", values[i]}, {"part", name_of(spectrum.parts[i])}});
    table.add({std::to_string(i), show(values[i]), name_of(spectrum.parts[i])});
  }
  std::string text = concat(drawn.input.source, ": eigenvectors of L_", options.order, "\n", table.text());
  if (format == PictureFormat::vtu) {
    options.picture.write_content(vtu_of(drawn, vectors), std::move(report), text);
    return ExitCode::success;
  }
  std::vector<std::string> remarks;
  const std::string svg = draw(drawn, spectrum, vectors, options, remarks);
  report["remarks"] = remarks;
  for (const std::string& remark : remarks) text += remark + "\n";
  options.picture.write(svg, std::move(report), text);
  return ExitCode::success;
}

}  // namespace

Plot add_plot_eigenvectors(CLI::App& app) {
  auto options = std::make_shared<EigenvectorsPlotWords>();
  CLI::App* kind =
      app.add_subcommand("eigenvectors", "Eigenvectors of a Hodge Laplacian, and harmonic generators");
  kind->footer(
      "Example:\n  gsan plot eigenvectors --example annulus --order 1 --count 6 --output vectors.svg");
  options->source.add_to(*kind);
  kind->add_option("--order", options->order, "the k of the Laplacian L_k")
      ->check(not_negative())
      ->capture_default_str();
  kind->add_option("--count", options->choice.count, "how many, from the smallest eigenvalue, zeros included")
      ->check(CLI::Range(1, 60))
      ->capture_default_str();
  kind->add_flag("--largest", options->choice.largest, "from the upper end of the spectrum");
  options->machine.add_to(*kind);
  options->picture.add_to(*kind, /*allows_vtu=*/true);
  return {kind, [options] { return run(*options); }};
}

}  // namespace gsan::app
