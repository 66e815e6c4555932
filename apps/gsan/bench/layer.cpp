// Layers: attention on one order with two powers (SAN) on the citation complex, the generalised layer on a
// planar one, and what a second thread gains.

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "gsan/data/sources/citation.h"
#include "gsan/models/presets.h"
#include "gsan/topology/delaunay.h"

#include "apps/gsan/bench/bench.h"
#include "apps/gsan/bench/inputs.h"
#include "apps/gsan/bench/threads.h"

namespace gsan::app {
namespace {

struct Sizes {
  std::vector<int> orders{1, 2, 4};
  std::vector<int> features{32, 256};
  Index points = 100'000, thread_points = 333'000;
  int width = 32;
  InputOptions own;
};

// Two powers on both sides and the signal itself through a matrix, no activation.
SimplicialLayerOptions one_order_layer(int k, int features, int order) {
  SimplicialLayerOptions options = presets::san(
      {.in_channels = features, .out_channels = features, .order = order, .signal_order = k, .length = 2});
  options.harmonic = HarmonicKind::skip;
  options.activation = Activation::identity;
  return options;
}

// J = 4 on orders 0 … order.
SimplicialLayerOptions all_orders_layer(
    int features, int order, HarmonicKind harmonic,
    SimplicialLayerOptions (*preset)(const PresetArguments&) = presets::gsan) {
  SimplicialLayerOptions options =
      preset({.in_channels = features, .out_channels = features, .order = order, .length = 4});
  options.harmonic = harmonic;
  options.activation = Activation::relu;
  return options;
}

// The layers of a planar complex; those of the same family differ in their boundary operators.
struct PlanarLayer {
  const char* name;
  SimplicialLayerOptions (*preset)(const PresetArguments&);
  HarmonicKind harmonic = HarmonicKind::skip;
  IncidenceKind incidence = IncidenceKind::with_signs;
};
constexpr PlanarLayer planar_layers[] = {
    {"gsan", presets::gsan},
    {"gsan with projector", presets::gsan, HarmonicKind::projector},
    {"gsan unsigned", presets::gsan, HarmonicKind::skip, IncidenceKind::absolute},
    {"gsccn", presets::gsccn},
    {"gsccn unsigned", presets::gsccn, HarmonicKind::skip, IncidenceKind::absolute},
    {"gsan-hodge", presets::gsan_hodge},
    {"gsan-hodge unsigned", presets::gsan_hodge, HarmonicKind::skip, IncidenceKind::absolute},
};

// Seconds forward and backward, 0 where that was left out.
double time_both(BenchSuite& suite, const std::string& name, LayerCase& layer, const Json& more) {
  Json facts = layer.facts();
  facts.update(more);
  suite.time(name + "/forward", facts, layer.work(Passes::forward), [&] { layer.forward(); });
  const double seconds = suite.time(name + "/forward+backward", facts, layer.work(Passes::both),
                                    [&] { layer.forward_backward(); });
  if (suite.exports()) suite.export_tensors("layer/" + name, layer.tensors());
  return seconds;
}

bool wants_layer(const BenchSuite& suite, const std::string& name) {
  return suite.wants_any({name + "/forward", name + "/forward+backward"});
}

void run_citation(BenchSuite& suite, const Sizes& sizes) {
  const auto name_of = [](int k, int F) { return concat("citation-", k, "/san/F", F); };
  std::vector<std::pair<int, int>> wanted;
  for (const int k : sizes.orders)
    for (const int F : sizes.features)
      if (wants_layer(suite, name_of(k, F))) wanted.emplace_back(k, F);
  if (wanted.empty()) return;
  const DataPlace place = find_data("citation", suite.options());
  if (!place.folder) return suite.skip("citation", place.reason);
  const int order = *std::max_element(sizes.orders.begin(), sizes.orders.end()) + 1;
  const CitationDataset citation = read_citation(*place.folder / "150250_cochains.npy", order);
  const ComplexOperators operators = operators_of(citation.data.complex, suite.options());
  for (const auto& [k, F] : wanted) {
    GSAN_CHECK(k < operators.order(), "--orders: the citation complex has orders 0 ... ", operators.order(),
               ", and the last has no upper side; got ", k);
    LayerCase layer(one_order_layer(k, F, operators.order()), operators, suite.options());
    time_both(suite, name_of(k, F), layer, {{"order", k}});
  }
}

// The layers of all orders on one complex, which `complex` makes where a case is wanted.
void run_planar(BenchSuite& suite, const Sizes& sizes, const std::string& place,
                const std::function<std::optional<SimplicialComplex>()>& complex) {
  const auto name_of = [&](const PlanarLayer& of) { return concat(place, "/", of.name, "/F", sizes.width); };
  if (std::none_of(std::begin(planar_layers), std::end(planar_layers),
                   [&](const PlanarLayer& of) { return wants_layer(suite, name_of(of)); }))
    return;
  std::optional<SimplicialComplex> made = complex();
  if (!made) return suite.skip(place, no_delaunay);
  const ComplexOperators operators = operators_of(std::move(*made), suite.options());
  double with_signs = 0;  // of the same preset
  for (const PlanarLayer& of : planar_layers) {
    if (!wants_layer(suite, name_of(of))) continue;
    SimplicialLayerOptions options = all_orders_layer(sizes.width, operators.order(), of.harmonic, of.preset);
    options.incidence = of.incidence;
    double seconds = 0;
    suite.attempt(name_of(of), [&] {
      LayerCase layer(options, operators, suite.options());
      seconds = time_both(suite, name_of(of), layer, {{"vertex_order", suite.options().order}});
    });
    if (of.incidence == IncidenceKind::with_signs && of.harmonic == HarmonicKind::skip) with_signs = seconds;
    if (of.incidence == IncidenceKind::absolute && with_signs > 0 && seconds > 0)
      suite.result(name_of(of) + ", over the signed one", seconds / with_signs);
  }
}

void run_delaunay(BenchSuite& suite, const Sizes& sizes) {
  run_planar(suite, sizes, concat("delaunay-", sizes.points), [&]() -> std::optional<SimplicialComplex> {
    if (!has_delaunay()) return std::nullopt;
    return random_delaunay(sizes.points, suite.options());
  });
}

// A complex of the user's.
void run_own(BenchSuite& suite, const Sizes& sizes) {
  const Input input = sizes.own.read();
  GSAN_CHECK(input.file.listed.complex.order() >= 1, "bench layer: ", input.source, " has no edges");
  run_planar(suite, sizes, place_of(input, sizes.own),
             [&] { return in_order(input.file.listed.complex, suite.options()); });
}

void run_threads(BenchSuite& suite, const Sizes& sizes) {
  const std::string place = concat("threads/delaunay-", sizes.thread_points);
  const std::string name = concat(place, "/gsan/F", sizes.width);
  const int most = std::max(suite.threads(), 2);
  if (!suite.wants_any({name + "/1 thread", concat(name, "/", most, " threads")})) return;
  if (suite.on_gpu()) return suite.skip(place, "compares threads of the CPU");
  if (!has_delaunay()) return suite.skip(place, no_delaunay);
  const ComplexOperators operators =
      operators_of(random_delaunay(sizes.thread_points, suite.options()), suite.options());
  LayerCase layer(all_orders_layer(sizes.width, 2, HarmonicKind::skip), operators, suite.options());
  double seconds[2] = {};
  for (const int threads : {1, most}) {
    const ThreadCount count(threads);
    seconds[threads > 1] =
        suite.time(concat(name, "/", threads, threads == 1 ? " thread" : " threads"), layer.facts(),
                   layer.work(Passes::both), [&] { layer.forward_backward(); });
  }
  if (seconds[0] > 0 && seconds[1] > 0)
    suite.result(concat(name, ", gain of ", most, " threads"), seconds[0] / seconds[1]);
}

}  // namespace

Benchmark add_layer_bench(CLI::App& command) {
  auto sizes = std::make_shared<Sizes>();
  command.add_option("--orders", sizes->orders, "orders of the citation complex")
      ->delimiter(',')
      ->check(CLI::Range(1, 8))
      ->capture_default_str();
  command.add_option("--features", sizes->features, "features in and out, citation complex")
      ->delimiter(',')
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  command.add_option("--points", sizes->points, "points of the Delaunay complex")
      ->check(CLI::Range(3, 100'000'000))
      ->capture_default_str();
  command.add_option("--thread-points", sizes->thread_points, "the same where threads are compared")
      ->check(CLI::Range(3, 100'000'000))
      ->capture_default_str();
  command.add_option("--width", sizes->width, "features in and out, all other complexes")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  sizes->own.add_optional_to(command);
  return [sizes](BenchSuite& suite) {
    if (sizes->own.is_given()) return run_own(suite, *sizes);
    run_citation(suite, *sizes);
    run_delaunay(suite, *sizes);
    run_threads(suite, *sizes);
  };
}

}  // namespace gsan::app
