// gsan plot attention: whom a simplex of a trained model attends to, and how the weights of a layer spread.

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "gsan/core/check.h"
#include "gsan/core/long_work.h"
#include "gsan/core/text.h"
#include "gsan/nn/attention_rows.h"
#include "gsan/plot/complex_picture.h"
#include "gsan/plot/histogram.h"
#include "gsan/plot/layout.h"
#include "gsan/plot/panels.h"
#include "gsan/topology/subcomplex.h"

#include "apps/gsan/console/bounds.h"
#include "apps/gsan/plots/picture_output.h"
#include "apps/gsan/plots/plot.h"
#include "apps/gsan/plots/run_layer.h"

namespace gsan::app {
namespace {

struct AttentionPlotWords {
  RunLayerOptions layer;
  std::vector<Vertex> simplex;
  int head = -1, bins = 40;
  std::int64_t max_pairs = 2'000'000;
  MachineOptions machine;
  PictureOptions picture;
};

std::string text_of(std::span<const Vertex> simplex) { return joined(simplex, " "); }

// The row of the simplex that was asked for; else the one that gives another simplex the largest weight.
Index chosen_row(const SimplicialComplex& complex, int k, const std::vector<AttentionWeights>& all,
                 const AttentionPlotWords& options) {
  if (!options.simplex.empty()) {
    std::vector<Vertex> vertices = options.simplex;
    std::sort(vertices.begin(), vertices.end());
    GSAN_CHECK(static_cast<int>(vertices.size()) == k + 1, "--simplex: a simplex of order ", k, " has ",
               k + 1, " vertices, got ", vertices.size());
    const std::optional<Index> found = complex.find(vertices);
    GSAN_CHECK(found.has_value(), "--simplex: ", joined(options.simplex, ","),
               " is not a simplex of this item; vertices are 0 ... ", complex.count(0) - 1);
    return *found;
  }
  Index best = 0;
  double largest = -1;
  for (const AttentionWeights& attention : all) {
    const std::vector<double> weights = pair_weights(attention, options.head);
    const Tensor receivers = attention.receivers.cpu(), sources = attention.sources.cpu();
    for (std::size_t e = 0; e < weights.size(); ++e) {
      const auto to = receivers.const_data_ptr<std::int32_t>()[e],
                 from = sources.const_data_ptr<std::int32_t>()[e];
      if (to != from && weights[e] > largest) largest = weights[e], best = to;
    }
  }
  return best;
}

// Places of some vertices by the points of the data, or a layout of their own.
VertexPlaces places_of(const MappedComplex& around, const Tensor& points) {
  if (!points.defined() || points.size(1) < 1) return {vertex_layout(around.complex), {}};
  const Tensor all = points.to(torch::kCPU, torch::kFloat64).contiguous();
  std::vector<double> chosen;
  for (const Index v : around.source[0])
    for (std::int64_t d = 0; d < all.size(1); ++d)
      chosen.push_back(all.const_data_ptr<double>()[v * all.size(1) + d]);
  return project_points(chosen, static_cast<int>(all.size(1)));
}

// The simplices that it attends to, coloured by the weights, itself with a halo.
std::string neighborhood_picture(const SimplicialComplex& complex, int k, Index row, const Tensor& points,
                                 const std::vector<AttendedSimplex>& attended, const std::string& name,
                                 double width) {
  SimplexRows rows(static_cast<std::size_t>(k) + 1);
  std::map<Index, double> weight;
  for (const AttendedSimplex& one : attended) {
    rows.back().push_back(static_cast<Index>(one.simplex));
    weight[static_cast<Index>(one.simplex)] = one.weight;
  }
  const MappedComplex around = subcomplex(complex, rows);
  ComplexPictureOptions options{.title = concat("whom ", text_of(complex.vertices(k, row)), " attends to"),
                                .subtitle = name,
                                .width = width,
                                .is_oriented = false};
  for (const Index v : around.source[0]) options.labels.push_back(std::to_string(v));
  options.signals.resize(static_cast<std::size_t>(k) + 1);
  const auto& simplices = around.source[static_cast<std::size_t>(k)];
  for (std::size_t i = 0; i < simplices.size(); ++i) {
    options.signals.back().push_back(weight.at(simplices[i]));
    if (simplices[i] == row) options.marked = {k, static_cast<Index>(i)};
  }
  return complex_picture(around.complex, places_of(around, points), options).svg;
}

Json neighbors_json(const SimplicialComplex& complex, int k, const std::vector<AttendedSimplex>& attended) {
  Json all = Json::array();
  for (const AttendedSimplex& one : attended) {
    const auto vertices = complex.vertices(k, static_cast<Index>(one.simplex));
    all.push_back(
        {{"simplex", std::vector<Vertex>(vertices.begin(), vertices.end())}, {"weight", one.weight}});
  }
  return all;
}

ExitCode run(const AttentionPlotWords& options) {
  options.picture.format();
  const RunLayer made = options.layer.load(options.machine.apply());
  const ComplexOperators& operators = made.item.operators;
  const SimplicialComplex& complex = operators.complex();
  const int k = made.order;
  const std::vector<Index> rows = rows_with_pairs(complex, k, options.max_pairs);
  const std::vector<AttentionWeights> all = [&] {
    const LongWork work("attention weights");
    return attention_rows(*made.view.layer, operators, made.view.input, k, rows);
  }();
  GSAN_CHECK(!all.empty(), "plot attention: layer ", options.layer.layer, " of ", made.name,
             " has no attention on order ", k, "; `gsan models` lists the models with attention");
  const Index row = chosen_row(complex, k, all, options);
  const Index only[] = {row};
  const std::vector<AttentionWeights> around =
      attention_rows(*made.view.layer, operators, made.view.input, k, only);
  const bool is_sampled = static_cast<Index>(rows.size()) < complex.count(k);

  std::vector<std::string> pictures;
  Json entries = Json::array();
  const double width = std::max(200.0, (options.picture.width > 0 ? options.picture.width : 960) / 2);
  for (std::size_t t = 0; t < all.size(); ++t) {
    const std::string name = attention_name(all[t]);
    const std::vector<double> weights = pair_weights(all[t], options.head);
    const std::vector<AttendedSimplex> attended = attended_by(around[t], row, options.head);
    if (k <= 2)
      pictures.push_back(
          neighborhood_picture(complex, k, row, made.run.experiment.task->points(), attended, name, width));
    pictures.push_back(histogram(weights, options.bins,
                                 {.title = name,
                                  .x_label = "attention weight",
                                  .y_label = is_sampled ? "pairs (of sampled simplices)" : "pairs",
                                  .width = width}));
    entries.push_back({{"side", side_name(all[t].side)},
                       {"use", all[t].use == Use::own ? "own" : "neighbor"},
                       {"pairs", weights.size()},
                       {"neighbors", neighbors_json(complex, k, attended)}});
  }
  const auto vertices = complex.vertices(k, row);
  const std::string sample = is_sampled ? concat("histograms of ", rows.size(), " of ", complex.count(k),
                                                 " simplices, evenly spaced")
                                        : "";
  const std::string title = !options.picture.title.empty()
                                ? options.picture.title
                                : concat("Attention of ", made.name, sample.empty() ? "" : "; ", sample);
  options.picture.write(panels(pictures, k <= 2 ? 2 : 1, title),
                        {{"command", "plot"},
                         {"kind", "attention"},
                         {"run", options.layer.run},
                         {"layer", options.layer.layer},
                         {"order", k},
                         {"head", options.head},
                         {"simplex", std::vector<Vertex>(vertices.begin(), vertices.end())},
                         {"rows", rows.size()},
                         {"sampled", is_sampled},
                         {"operators", entries}},
                        concat(made.name, ": attention of ", all.size(), " operator(s) on order ", k,
                               ", around ", text_of(vertices), sample.empty() ? "" : "; ", sample, "\n"));
  return ExitCode::success;
}

}  // namespace

Plot add_plot_attention(CLI::App& app) {
  auto options = std::make_shared<AttentionPlotWords>();
  CLI::App* kind = app.add_subcommand(
      "attention", "Attention weights of a trained model, around a simplex and of all pairs");
  kind->footer("Example:\n  gsan plot attention runs/flow --layer 2 --simplex 3,17 --output attention.svg");
  options->layer.add_to(*kind, true);
  kind->add_option("--simplex", options->simplex,
                   "v0,...,vk: vertices of the simplex in the middle (default: the one with the largest "
                   "weight for another)")
      ->delimiter(',')
      ->type_name("VERTICES");
  kind->add_option("--head", options->head, "which head, from 0; -1: their mean")
      ->check(CLI::Range(-1, 100000))
      ->capture_default_str();
  kind->add_option("--bins", options->bins, "of the histograms")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  kind->add_option("--max-pairs", options->max_pairs,
                   "pairs of a histogram; where there are more, it shows evenly spaced simplices")
      ->check(positive())
      ->capture_default_str();
  options->machine.add_to(*kind);
  options->picture.add_to(*kind);
  return {kind, [options] { return run(*options); }};
}

}  // namespace gsan::app
