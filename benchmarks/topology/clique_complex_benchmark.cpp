// Clique complex of order 3 with its face tables, from an unsorted edge list, against the
// expansion alone of GUDHI's Simplex_tree, whose graph is already inserted. Times exclude
// destruction. Memory: bytes through operator new, live after the build and the most
// during it, without the input (ours: the edge list, GUDHI: the boost graph).

#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#ifdef GSAN_HAVE_GUDHI
#include <gudhi/Simplex_tree.h>
#include <gudhi/graph_simplicial_complex.h>
#endif

#include "gsan/core/random.h"
#include "gsan/topology/clique_complex.h"
#include "gsan/topology/delaunay.h"
#include "gsan/topology/random_graph.h"

#include "support/memory_meter.h"
#include "support/retained_memory.h"

namespace gsan {
namespace {

constexpr int order = 3;

struct Input {
  Index vertex_count;
  std::vector<Edge> edges;
};

// Vertex names and edges in random order, as they come from files.
Input shuffled(Index vertex_count, std::vector<Edge> edges, RandomStream& random) {
  const std::vector<Vertex> name = random.permutation(vertex_count);
  for (Edge& edge : edges) edge = {name[edge[0]], name[edge[1]]};
  random.shuffle(edges);
  return {vertex_count, std::move(edges)};
}

Input make_input(const std::string& kind, Index edge_count) {
  RandomStream random(1, kind);
  if (kind == "ER sparse") {  // mean degree 20
    return shuffled(edge_count / 10, erdos_renyi(edge_count / 10, edge_count, random), random);
  }
  if (kind == "ER dense") {  // density 0.1
    const auto n = static_cast<Index>(std::sqrt(20.0 * edge_count));
    return shuffled(n, erdos_renyi(n, edge_count, random), random);
  }
  if (kind == "BA") {  // names by age: hubs come first
    auto edges = barabasi_albert(edge_count / 10, 10, random);
    random.shuffle(edges);
    return {edge_count / 10, std::move(edges)};
  }
  if (kind == "BA shuffled")
    return shuffled(edge_count / 10, barabasi_albert(edge_count / 10, 10, random), random);
  const Index n = edge_count / 3;  // a planar triangulation has about three edges per vertex
  const SimplicialComplex complex = delaunay(uniform_points(n, 2, random), 2);
  std::vector<Edge> edges;
  for (Index e = 0; e < complex.count(1); ++e)
    edges.push_back({complex.vertices(1, e)[0], complex.vertices(1, e)[1]});
  random.shuffle(edges);
  return {n, std::move(edges)};
}

const Input& input_of(const std::string& kind, Index edge_count) {
  static std::map<std::pair<std::string, Index>, Input> inputs;
  auto [at, fresh] = inputs.try_emplace({kind, edge_count});
  if (fresh) at->second = make_input(kind, edge_count);
  return at->second;
}

void memory_counters(benchmark::State& state, std::size_t before) {
  state.counters["live_MB"] = static_cast<double>(MemoryMeter::live() - before) / 1e6;
  state.counters["peak_MB"] = static_cast<double>(MemoryMeter::peak() - before) / 1e6;
}

// Times `run()` alone; `prepare()` before it and the destruction of its result are not timed.
template <class Prepare, class Run>
void timed(benchmark::State& state, Prepare prepare, Run run) {
  for (auto _ : state) {
    auto prepared = prepare();
    const auto start = std::chrono::steady_clock::now();
    auto result = run(prepared);
    benchmark::DoNotOptimize(result);
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
}

void ours(benchmark::State& state, const std::string& kind, Index edge_count) {
  const Input& input = input_of(kind, edge_count);
  {
    const std::size_t before = MemoryMeter::live();
    MemoryMeter::reset_peak();
    const SimplicialComplex complex = clique_complex(input.edges, input.vertex_count, order);
    memory_counters(state, before);
    state.counters["triangles"] = complex.count(2);
    state.counters["tetrahedra"] = complex.count(3);
  }
  timed(
      state, [] { return 0; }, [&](int) { return clique_complex(input.edges, input.vertex_count, order); });
}

#ifdef GSAN_HAVE_GUDHI
template <class Options>
void gudhi(benchmark::State& state, const std::string& kind, Index edge_count) {
  using Tree = Gudhi::Simplex_tree<Options>;
  const Input& input = input_of(kind, edge_count);
  std::vector<std::pair<int, int>> pairs;
  for (const Edge& edge : input.edges) pairs.emplace_back(edge[0], edge[1]);
  using Value = typename Tree::Filtration_value;
  using BoostGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS,
                                           boost::property<Gudhi::vertex_filtration_t, Value>,
                                           boost::property<Gudhi::edge_filtration_t, Value>>;
  const std::vector<Value> zeros(pairs.size(), Value{0});
  BoostGraph graph(pairs.begin(), pairs.end(), zeros.begin(), input.vertex_count);
  Tree skeleton;
  skeleton.insert_graph(graph);
  {
    Tree tree;
    const std::size_t before = MemoryMeter::live();
    tree.insert_graph(graph);
    MemoryMeter::reset_peak();
    tree.expansion(order);
    memory_counters(state, before);
  }
  timed(
      state, [&] { return std::make_unique<Tree>(skeleton); },
      [&](std::unique_ptr<Tree>& tree) {
        tree->expansion(order);
        return std::move(tree);
      });
}
#endif

// Remembers what was measured; prints GUDHI / ours per graph.
class RatioReporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const std::string& name = run.run_name.function_name;
      const auto slash = name.find('/');
      auto& best = results_[name.substr(slash + 1)][name.substr(0, slash)];
      const double time = run.GetAdjustedRealTime();
      if (best.time == 0 || time < best.time) best.time = time;
      best.live = run.counters.at("live_MB");
      best.peak = run.counters.at("peak_MB");
    }
  }
  void Finalize() override {
    std::printf("\nGUDHI / gsan (above 1: gsan is better), minimum of the repetitions\n%-24s", "graph");
    for (const char* side : {"default", "fast options"}) std::printf(" | %-12s time  live  peak", side);
    std::printf("\n");
    for (const auto& [graph, sides] : results_) {
      std::printf("%-24s", graph.c_str());
      for (const char* side : {"gudhi", "gudhi_fast"}) {
        if (!sides.count(side) || !sides.count("gsan")) continue;
        const auto& theirs = sides.at(side);
        const auto& own = sides.at("gsan");
        std::printf(" | %17.2f %5.2f %5.2f", theirs.time / own.time, theirs.live / own.live,
                    theirs.peak / own.peak);
      }
      std::printf("\n");
    }
  }

 private:
  struct Best {
    double time = 0, live = 0, peak = 0;
  };
  std::map<std::string, std::map<std::string, Best>> results_;
};

void register_all() {
  std::vector<std::string> kinds{"ER sparse", "ER dense", "BA", "BA shuffled"};
  if (has_delaunay()) kinds.push_back("Delaunay");
  for (const std::string& kind : kinds) {
    for (const Index edge_count : {10'000, 100'000, 1'000'000}) {
      const std::string graph = "/" + kind + " " + std::to_string(edge_count);
      const auto add = [&](const std::string& side, auto function) {
        benchmark::RegisterBenchmark((side + graph).c_str(),
                                     [=](benchmark::State& state) { function(state, kind, edge_count); })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond)
            ->MinTime(0.3);
      };
      add("gsan", ours);
#ifdef GSAN_HAVE_GUDHI
      add("gudhi", gudhi<Gudhi::Simplex_tree_options_full_featured>);
      add("gudhi_fast", gudhi<Gudhi::Simplex_tree_options_fast_persistence>);
#endif
    }
  }
}

}  // namespace
}  // namespace gsan

int main(int argc, char** argv) {
  gsan::retain_memory();
  std::printf("%s\n", gsan::retained_memory_setting);
  gsan::register_all();
  benchmark::Initialize(&argc, argv);
  gsan::RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
}
