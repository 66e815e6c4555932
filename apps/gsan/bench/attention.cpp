// Attention over the lower neighbours of edges: with its matrix product, as a layer; and the bare op, on pair
// lists and on stars.

#include <algorithm>
#include <filesystem>
#include <memory>

#include "gsan/core/check.h"
#include "gsan/topology/delaunay.h"

#include "apps/gsan/bench/attention_op.h"
#include "apps/gsan/bench/bench.h"
#include "apps/gsan/bench/inputs.h"
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

// A layer of attention over the edges: "PLACE/FF/forward" and "PLACE/FF/forward+backward".
void run_layer(BenchSuite& suite, const std::string& name, int features, const ComplexOperators& operators,
               const std::string& order) {
  if (!suite.wants_any({name + "/forward", name + "/forward+backward"})) return;
  LayerCase layer(edge_attention(features, std::min(operators.order(), 2)), operators, suite.options());
  Json facts = layer.facts();
  facts["vertex_order"] = order;
  suite.time(name + "/forward", facts, layer.work(Passes::forward), [&] { layer.forward(); });
  suite.time(name + "/forward+backward", facts, layer.work(Passes::both), [&] { layer.forward_backward(); });
  if (suite.exports()) suite.export_tensors("attention/" + name, layer.tensors());
}

// A complex of the user's, as it is.
void run_own(BenchSuite& suite, const Sizes& sizes) {
  const Input input = sizes.own.read();
  const ComplexOperators operators(input.file.listed.complex, {.max_memory = physical_memory()});
  GSAN_CHECK(operators.order() >= 1, "bench attention: ", input.source, " has no edges");
  const std::string place =
      input.is_example ? sizes.own.example : std::filesystem::path(sizes.own.path).stem().string();
  for (const int F : sizes.features) run_layer(suite, concat(place, "/F", F), F, operators, "as given");
}

void run_delaunay(BenchSuite& suite, Index points, const Sizes& sizes) {
  const std::string place = concat("delaunay-", points);
  std::vector<std::string> names;
  for (const int F : sizes.features) {
    for (const char* what :
         {"forward", "forward+backward", "op forward", "op forward, inference", "op forward+backward",
          "sigmoid op forward", "sigmoid op forward, inference", "sigmoid op forward+backward"})
      names.push_back(concat(place, "/F", F, "/", what));
  }
  if (!suite.wants_any(names)) return;
  if (!has_delaunay()) return suite.skip(place, no_delaunay);
  const ComplexOperators operators(random_delaunay(points, suite.options()),
                                   {.max_memory = physical_memory()});
  for (const int F : sizes.features) {
    const std::string name = concat(place, "/F", F);
    run_layer(suite, name, F, operators, suite.options().order);
    double seconds[2] = {};
    for (const bool sigmoid : {false, true}) {
      AttentionOpCase op(operators, 1, Structure::pairs, F, suite.options(), sigmoid);
      seconds[sigmoid] =
          op.run(suite, name + (sigmoid ? "/sigmoid op" : "/op"), {{"vertex_order", suite.options().order}});
    }
    if (seconds[0] > 0 && seconds[1] > 0)
      suite.result(name + "/op forward+backward, sigmoid over softmax", seconds[1] / seconds[0]);
  }
}

// One thread: what the structure costs, without the number of cores.
void run_hub(BenchSuite& suite, Index vertices) {
  const int F = 64;
  const std::string place = concat("hub-", vertices, "/F", F);
  if (!suite.wants_any({place + "/stars forward", place + "/stars forward+backward", place + "/pairs forward",
                        place + "/pairs forward+backward"}))
    return;
  const ThreadCount one(1);
  const ComplexOperators operators(hub_graph(vertices, 5, suite.options()),
                                   {.max_memory = physical_memory()});
  double seconds[2] = {};
  for (const Structure structure : {Structure::stars, Structure::pairs}) {
    const std::string name = concat(place, structure == Structure::stars ? "/stars" : "/pairs");
    if (!suite.wants_any({name + " forward", name + " forward+backward"})) continue;
    AttentionOpCase op(operators, 1, structure, F, suite.options());
    seconds[structure == Structure::pairs] = op.run(suite, name, Json::object());
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
