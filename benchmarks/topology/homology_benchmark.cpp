// Betti numbers, and the transforms of a complex with 10^6 edges. Coface lists exist
// before the clock starts.

#include <functional>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "gsan/core/random.h"
#include "gsan/topology/builder.h"
#include "gsan/topology/clique_complex.h"
#include "gsan/topology/delaunay.h"
#include "gsan/topology/disjoint_union.h"
#include "gsan/topology/hex_grid.h"
#include "gsan/topology/homology.h"
#include "gsan/topology/random_graph.h"
#include "gsan/topology/relabel.h"
#include "gsan/topology/reorder.h"

#include "support/retained_memory.h"

namespace gsan {
namespace {

// About 10^6 edges, 2/3 · 10^6 triangles; every hole adds 1 to β_1.
SimplicialComplex plane(int holes) {
  std::vector<Disc> discs;
  for (int i = 0; i < holes; ++i) discs.push_back({20.0 + 50 * (i % 10), 20.0 + 45 * (i / 10), 2.0});
  return hex_grid(578, 578, discs).complex;
}

SimplicialComplex shuffled(const SimplicialComplex& complex) {
  RandomStream random(1, "names");
  return relabel(complex, random.permutation(complex.count(0))).complex;
}

SimplicialComplex delaunay_of(Index points, int dimension) {
  RandomStream random(1, "points");
  return delaunay(uniform_points(points, dimension, random), dimension);
}

SimplicialComplex cliques(Index vertices, Index edges) {
  RandomStream random(1, "graph");
  return clique_complex(erdos_renyi(vertices, edges, random), vertices, 3);
}

// All edges on n vertices and about n²/2 random triangles: nothing but elimination helps.
SimplicialComplex random_triangles(Vertex n) {
  RandomStream random(1, "triangles");
  ComplexBuilder builder;
  for (Vertex a = 0; a < n; ++a) {
    for (Vertex b = a + 1; b < n; ++b) {
      builder.add({a, b});
      for (Vertex c = b + 1; c < n; ++c) {
        if (random.uniform() < 3.0 / n) builder.add({a, b, c});
      }
    }
  }
  return builder.build();
}

void betti(benchmark::State& state, const std::function<SimplicialComplex()>& make) {
  const SimplicialComplex complex = make();
  for (int k = 0; k <= complex.order(); ++k) benchmark::DoNotOptimize(complex.coface_table(k).data());
  std::vector<Index> numbers;
  for (auto _ : state) numbers = betti_numbers(complex);
  for (int k = 0; k <= complex.order(); ++k) {
    state.counters["N" + std::to_string(k)] = complex.count(k);
    state.counters["b" + std::to_string(k)] = numbers[k];
  }
}

void reorder(benchmark::State& state,
             const std::function<std::vector<Vertex>(const EmbeddedComplex&)>& names) {
  const EmbeddedComplex grid = hex_grid(578, 578);
  benchmark::DoNotOptimize(grid.complex.coface_table(0).data());
  for (auto _ : state) benchmark::DoNotOptimize(names(grid));
}

void relabel_plane(benchmark::State& state) {
  const SimplicialComplex complex = plane(0);
  RandomStream random(1, "names");
  const std::vector<Vertex> names = random.permutation(complex.count(0));
  for (auto _ : state) benchmark::DoNotOptimize(relabel(complex, names));
}

// 10^6 edges in parts of 33.
void unite(benchmark::State& state) {
  const std::vector<SimplicialComplex> parts(30'000, hex_grid(4, 4).complex);
  for (auto _ : state) benchmark::DoNotOptimize(disjoint_union(parts));
}

void register_all() {
  const auto add = [](const char* name, auto function, auto... arguments) {
    benchmark::RegisterBenchmark(name, function, arguments...)->Unit(benchmark::kMillisecond)->MinTime(0.3);
  };
  add("betti/plane", betti, [] { return plane(0); });
  add("betti/plane, 100 holes", betti, [] { return plane(100); });
  add("betti/plane, 100 holes, names shuffled", betti, [] { return shuffled(plane(100)); });
  if (has_delaunay()) {
    add("betti/Delaunay 2-D", betti, [] { return delaunay_of(333'000, 2); });
    add("betti/Delaunay 3-D", betti, [] { return delaunay_of(15'000, 3); });
  }
  add("betti/cliques of order 3", betti, [] { return cliques(300, 13'000); });
  add("betti/random triangles", betti, [] { return random_triangles(300); });
  add("reorder/Hilbert", reorder, [](const EmbeddedComplex& grid) { return hilbert_order(grid.points, 2); });
  add("reorder/Cuthill-McKee", reorder,
      [](const EmbeddedComplex& grid) { return reverse_cuthill_mckee(grid.complex); });
  add("relabel", relabel_plane);
  add("disjoint_union", unite);
}

}  // namespace
}  // namespace gsan

int main(int argc, char** argv) {
  gsan::retain_memory();
  gsan::register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
