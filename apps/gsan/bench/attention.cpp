// Attention over the lower neighbours of edges: with its matrix product, as a layer; and the bare op, on pair
// lists and on stars.

#include <algorithm>
#include <memory>

#include "gsan/core/check.h"
#include "gsan/topology/delaunay.h"

#include "apps/gsan/bench/attention_op.h"
#include "apps/gsan/bench/bench.h"
#include "apps/gsan/bench/inputs.h"
#include "apps/gsan/bench/pair_op.h"
#include "apps/gsan/bench/threads.h"
#include "apps/gsan/console/input.h"

namespace gsan::app {
namespace {

struct Sizes {
  std::vector<Index> points{33'000, 333'000};
  std::vector<int> features{32, 64};
  Index hub = 20'000;
  InputOptions own;
};

// The op alone walks lists of pairs up to this length, stars above.
constexpr std::int64_t most_pairs = 200'000'000;

constexpr Mechanism mechanisms[] = {Mechanism::gat, Mechanism::gatv2, Mechanism::dot};

// "" or "gatv2 ": what the cases of a mechanism are called, GAT being the usual one.
std::string prefix_of(Mechanism mechanism) {
  return mechanism == Mechanism::gat ? "" : concat(name_of(mechanism), " ");
}

// A layer of attention over the edges: "NAME/forward" and "NAME/forward+backward".
void run_layer(BenchSuite& suite, const std::string& name, Mechanism mechanism, int features,
               const ComplexOperators& operators) {
  const std::string start = concat(name, "/", prefix_of(mechanism));
  if (!suite.wants_any({start + "forward", start + "forward+backward"})) return;
  SimplicialLayerOptions options = edge_attention(features, std::min(operators.order(), 2));
  options.mechanism = mechanism;
  suite.attempt(start + "layer", [&] {
    LayerCase layer(options, operators, suite.options());
    Json facts = layer.facts();
    facts["vertex_order"] = suite.options().order;
    suite.time(start + "forward", facts, layer.work(Passes::forward), [&] { layer.forward(); });
    suite.time(start + "forward+backward", facts, layer.work(Passes::both),
               [&] { layer.forward_backward(); });
    if (mechanism == Mechanism::gat && suite.exports())
      suite.export_tensors("attention/" + name, layer.tensors());
  });
}

// Softmax and sigmoid of GAT scores, without products.
void run_ops(BenchSuite& suite, const std::string& name, int features, const ComplexOperators& operators) {
  const Json facts{{"vertex_order", suite.options().order}};
  double seconds[2] = {};
  for (const bool sigmoid : {false, true}) {
    const std::string start = name + (sigmoid ? "/sigmoid op" : "/op");
    if (!suite.wants_any({start + " forward", start + " forward, inference", start + " forward+backward"}))
      continue;
    suite.attempt(start, [&] {
      AttentionOpCase op(operators, 1, Structure::pairs, features, suite.options(), sigmoid);
      seconds[sigmoid] = op.run(suite, start, facts);
    });
  }
  if (seconds[0] > 0 && seconds[1] > 0)
    suite.result(name + "/op forward+backward, sigmoid over softmax", seconds[1] / seconds[0]);
  for (const Mechanism mechanism : {Mechanism::gatv2, Mechanism::dot}) {
    const std::string start = concat(name, "/", name_of(mechanism), " op");
    if (!suite.wants_any({start + " forward", start + " forward+backward"})) continue;
    suite.attempt(start, [&] {
      PairOpCase(operators, 1, mechanism, features, suite.options()).run(suite, start, facts);
    });
  }
}

// Everything on the edges of one complex.
void run_edges(BenchSuite& suite, const std::string& place, const Sizes& sizes,
               const ComplexOperators& operators) {
  const bool has_pairs = count_pairs(operators.complex(), 1, Side::lower) <= most_pairs;
  for (const int F : sizes.features) {
    const std::string name = concat(place, "/F", F);
    for (const Mechanism mechanism : mechanisms) {
      if (has_pairs || mechanism == Mechanism::gat) run_layer(suite, name, mechanism, F, operators);
    }
    if (has_pairs) {
      run_ops(suite, name, F, operators);
    } else if (suite.wants_any({name + "/stars op forward", name + "/stars op forward+backward"})) {
      suite.attempt(name + "/stars op", [&] {
        AttentionOpCase op(operators, 1, Structure::stars, F, suite.options());
        op.run(suite, name + "/stars op", {{"vertex_order", suite.options().order}});
      });
    }
  }
  if (!has_pairs)
    suite.skip(place + ", lists of pairs", concat("more than ", most_pairs, " pairs: attention walks stars"));
}

// A complex of the user's.
void run_own(BenchSuite& suite, const Sizes& sizes) {
  const Input input = sizes.own.read();
  const ComplexOperators operators =
      operators_of(in_order(input.file.listed.complex, suite.options()), suite.options());
  GSAN_CHECK(operators.order() >= 1, "bench attention: ", input.source, " has no edges");
  run_edges(suite, place_of(input, sizes.own), sizes, operators);
}

void run_delaunay(BenchSuite& suite, Index points, const Sizes& sizes) {
  const std::string place = concat("delaunay-", points);
  std::vector<std::string> names;
  for (const int F : sizes.features) {
    for (const char* what :
         {"forward", "forward+backward", "gatv2 forward", "gatv2 forward+backward", "dot forward",
          "dot forward+backward", "op forward", "op forward, inference", "op forward+backward",
          "sigmoid op forward", "sigmoid op forward, inference", "sigmoid op forward+backward",
          "gatv2 op forward", "gatv2 op forward+backward", "dot op forward", "dot op forward+backward"})
      names.push_back(concat(place, "/F", F, "/", what));
  }
  if (!suite.wants_any(names)) return;
  if (!has_delaunay()) return suite.skip(place, no_delaunay);
  run_edges(suite, place, sizes, operators_of(random_delaunay(points, suite.options()), suite.options()));
}

// One thread: what the structure costs, without the number of cores.
void run_hub(BenchSuite& suite, Index vertices) {
  const int F = 64;
  const std::string place = concat("hub-", vertices, "/F", F);
  if (!suite.wants_any({place + "/stars forward", place + "/stars forward+backward", place + "/pairs forward",
                        place + "/pairs forward+backward"}))
    return;
  const ThreadCount one(1);
  const ComplexOperators operators = operators_of(hub_graph(vertices, 5, suite.options()), suite.options());
  double seconds[2] = {};
  for (const Structure structure : {Structure::stars, Structure::pairs}) {
    const std::string name = concat(place, structure == Structure::stars ? "/stars" : "/pairs");
    if (!suite.wants_any({name + " forward", name + " forward+backward"})) continue;
    suite.attempt(name, [&] {
      AttentionOpCase op(operators, 1, structure, F, suite.options());
      seconds[structure == Structure::pairs] = op.run(suite, name, Json::object());
    });
  }
  if (seconds[0] > 0 && seconds[1] > 0)
    suite.result(place + ", forward+backward, pairs over stars", seconds[1] / seconds[0]);
}

}  // namespace

Benchmark add_attention_bench(CLI::App& command) {
  auto sizes = std::make_shared<Sizes>();
  command.add_option("--points", sizes->points, "points of the Delaunay complexes")
      ->delimiter(',')
      ->check(CLI::Range(3, 100'000'000))
      ->capture_default_str();
  command.add_option("--features", sizes->features, "features in and out")
      ->delimiter(',')
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  command.add_option("--hub", sizes->hub, "degree of the hub")
      ->check(CLI::Range(10, 100'000))
      ->capture_default_str();
  sizes->own.add_optional_to(command);
  return [sizes](BenchSuite& suite) {
    if (sizes->own.is_given()) return run_own(suite, *sizes);
    for (const Index points : sizes->points) run_delaunay(suite, points, *sizes);
    run_hub(suite, sizes->hub);
  };
}

}  // namespace gsan::app
