// The Hodge decomposition of a random flow on the edges of a complex to 1e-8, setup included:
// planar Delaunay complexes of 10^4 … 10^6 edges with vertices in random order and along a
// Hilbert curve, a Delaunay complex in space, the clique complex of a random graph; beside it,
// at 10^5 edges, conjugate gradients with the diagonal alone.
// Memory: the most bytes through operator new during the decomposition, torch's tensors not
// counted (they hold the signal, its parts and potentials).

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "gsan/core/random.h"
#include "gsan/hodge/decomposition.h"
#include "gsan/hodge/solve/random_signal.h"
#include "gsan/topology/clique_complex.h"
#include "gsan/topology/delaunay.h"
#include "gsan/topology/random_graph.h"
#include "gsan/topology/relabel.h"
#include "gsan/topology/reorder.h"

#include "support/memory_meter.h"
#include "support/retained_memory.h"

namespace gsan {
namespace {

SimplicialComplex random_delaunay(Index points, int dimension, bool along_curve) {
  RandomStream random(1, "points");
  std::vector<double> coordinates(static_cast<std::size_t>(points) * dimension);
  for (double& x : coordinates) x = random.uniform();
  const SimplicialComplex complex = delaunay(coordinates, dimension);
  return along_curve ? relabel(complex, hilbert_order(coordinates, dimension)).complex : complex;
}

SimplicialComplex make_complex(const std::string& kind, Index edges) {
  if (kind == "planar, random order") return random_delaunay(edges / 3, 2, false);
  if (kind == "planar, along a curve") return random_delaunay(edges / 3, 2, true);
  if (kind == "in space") return random_delaunay(edges * 10 / 77, 3, false);
  RandomStream random(1, kind);  // mean degree 40
  return clique_complex(erdos_renyi(edges / 20, edges, random), edges / 20, 3);
}

// Built once, with its coface lists, and kept for the other runs.
const ComplexOperators& operators_for(const std::string& kind, Index edges) {
  static std::map<std::string, ComplexOperators> kept;
  const std::string name = kind + std::to_string(edges);
  const auto found = kept.find(name);
  if (found != kept.end()) return found->second;
  kept.clear();  // one at a time
  return kept.emplace(name, ComplexOperators(make_complex(kind, edges))).first->second;
}

void decompose(benchmark::State& state, const std::string& kind, Index edges, int k, std::int64_t features) {
  const ComplexOperators& operators = operators_for(kind, edges);
  const Tensor x = random_signal(operators.count(k), features, "flow", torch::kFloat64);
  const std::size_t before = MemoryMeter::live();
  MemoryMeter::reset_peak();
  HodgeDecomposition parts;
  for (auto _ : state) parts = hodge_decomposition(operators, k, x);
  state.counters["simplices"] = static_cast<double>(operators.count(k));
  state.counters["gradient_steps"] = parts.gradient_convergence.iterations;
  state.counters["curl_steps"] = parts.curl_convergence.iterations;
  state.counters["error"] = std::max(parts.gradient_convergence.error, parts.curl_convergence.error);
  state.counters["peak_MB"] = static_cast<double>(MemoryMeter::peak() - before) * 1e-6;
}

// T Tᵀ a = T x by the diagonal alone, for both parts, to the same targets.
void solve_by_jacobi(benchmark::State& state, const std::string& kind, Index edges) {
  const SimplicialComplex& complex = operators_for(kind, edges).complex();
  const Tensor flow = random_signal(complex.count(1), 1, "flow", torch::kFloat64);
  const double size = flow.norm().item<double>();
  int steps[2] = {};
  for (auto _ : state) {
    for (const int part : {0, 1}) {
      const SignedLists T = part == 0 ? boundary_lists(complex, 1) : coboundary_lists(complex, 2);
      const SignedLists transposed = part == 0 ? coboundary_lists(complex, 1) : boundary_lists(complex, 2);
      const GramSystem system(T, transposed, Preconditioner::jacobi);
      std::vector<double> r(T.rows), a(T.rows);
      T.multiply(flow.const_data_ptr<double>(), r.data(), 1);
      SolveTargets targets;
      double start = 0;
      for (const double entry : r) start += entry * entry;
      targets.residual[0] = 1e-8 * std::sqrt(start);
      targets.error[0] = 1e-8 * size;
      steps[part] = system.solve(1, r.data(), a.data(), targets, 100'000).iterations;
    }
  }
  state.counters["gradient_steps"] = steps[0];
  state.counters["curl_steps"] = steps[1];
}

void add(const std::string& kind, Index edges, int k, std::int64_t features = 1) {
  const std::string name = kind + "/" + std::to_string(edges) + " edges/order " + std::to_string(k) + "/F " +
                           std::to_string(features);
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State& state) { decompose(state, kind, edges, k, features); })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime()
      ->MinTime(0.5);
}

}  // namespace
}  // namespace gsan

int main(int argc, char** argv) {
  gsan::retain_memory();
  const std::string random_order = "planar, random order", curve = "planar, along a curve";
  if (gsan::has_delaunay()) {
    for (const gsan::Index edges : {10'000, 100'000, 1'000'000}) {
      gsan::add(random_order, edges, 1);
      gsan::add(curve, edges, 1);
    }
    gsan::add(random_order, 1'000'000, 1, 8);
    benchmark::RegisterBenchmark(
        "planar, random order/100000 edges/Jacobi",
        [=](benchmark::State& state) { gsan::solve_by_jacobi(state, random_order, 100'000); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime()
        ->Iterations(1);
    for (const int k : {1, 2}) gsan::add("in space", 100'000, k);
    gsan::add("in space", 1'000'000, 1);
  }
  for (const int k : {1, 2}) gsan::add("clique complex", 100'000, k);
  benchmark::AddCustomContext("memory", gsan::retained_memory_setting);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
