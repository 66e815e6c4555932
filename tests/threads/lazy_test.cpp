// What is made on first use, asked for by several threads at once: tables of a complex, values of a LazyMap.

#include <barrier>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "gsan/hodge/lazy_map.h"
#include "gsan/topology/clique_complex.h"
#include "gsan/topology/disjoint_union.h"
#include "gsan/topology/homology.h"

namespace gsan {
namespace {

constexpr int threads = 4;

/// Runs work(t) in four threads that begin together; all must return the same number.
template <class Work>
void expect_same_from_all(const Work& work) {
  std::barrier start(threads);
  std::vector<long> sums(threads, 0);
  std::vector<std::thread> pool;
  for (int t = 0; t < threads; ++t)
    pool.emplace_back([&, t] {
      start.arrive_and_wait();
      sums[static_cast<std::size_t>(t)] = work(t);
    });
  for (std::thread& thread : pool) thread.join();
  for (const long sum : sums) EXPECT_EQ(sum, sums[0]);
}

// A lift leaves the vertices of orders >= 2, and all cofaces, to their first use.
SimplicialComplex fresh(int round) {
  constexpr int vertices = 24;
  std::vector<Edge> edges;
  for (int i = 0; i < vertices; ++i)
    for (int j = i + 1; j < vertices; ++j)
      if ((i * 31 + j * 17 + round) % 3 != 0) edges.push_back({i, j});
  return clique_complex(edges, vertices, 4);
}

TEST(MadeByThreads, TablesOfAComplex) {
  for (int round = 0; round < 40; ++round) {
    const SimplicialComplex complex = fresh(round);
    expect_same_from_all([&](int t) {
      const SimplicialComplex own = complex;  // shares the tables
      long sum = 0;
      for (int i = 0; i <= own.order(); ++i) {
        const int k = t % 2 ? own.order() - i : i;
        for (const auto vertex : own.vertex_table(k)) sum += vertex;
        for (const auto offset : own.coface_offsets(k)) sum += offset;
        for (const auto coface : own.coface_table(k)) sum += coface;
        sum += static_cast<long>(own.coface_columns(k).size());
      }
      const std::vector<Vertex> edge = {0, 1};
      sum += own.find(edge).has_value();
      if (round % 20 == 0) sum += homology(own).betti[0];
      const std::vector<SimplicialComplex> both = {own, own};
      return sum + disjoint_union(both).complex.count(0);
    });
  }
}

TEST(MadeByThreads, ValuesOfALazyMapThatAskForOthers) {
  for (int round = 0; round < 200; ++round) {
    LazyMap<int, std::vector<int>> lazy;
    expect_same_from_all([&](int t) {
      long sum = 0;
      for (int key = 0; key < 8; ++key) {
        const int chosen = (key + t) % 8;
        sum += lazy.get(chosen, [&] {
          if (chosen > 0) (void)lazy.get(chosen - 1, [&] { return std::vector<int>(100, chosen - 1); });
          return std::vector<int>(100, chosen);
        })[7];
      }
      return sum;
    });
    EXPECT_EQ(lazy.keys().size(), 8u);
  }
}

}  // namespace
}  // namespace gsan
