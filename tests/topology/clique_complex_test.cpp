#include "gsan/topology/clique_complex.h"

#include <algorithm>
#include <functional>
#include <string>

#include <gtest/gtest.h>
#ifdef GSAN_HAVE_RAPIDCHECK
#include <rapidcheck/gtest.h>
#endif
#ifdef GSAN_HAVE_GUDHI
#include <gudhi/Simplex_tree.h>
#endif

#include "gsan/core/check.h"
#include "gsan/core/random.h"
#include "gsan/topology/random_graph.h"

namespace gsan {
namespace {

using Adjacency = std::vector<std::vector<bool>>;

Adjacency adjacency(const std::vector<Edge>& edges, Index vertex_count) {
  Adjacency joined(vertex_count, std::vector<bool>(vertex_count, false));
  for (const auto& [a, b] : edges) joined[a][b] = joined[b][a] = true;
  return joined;
}

// All cliques by trying every larger vertex, in lexicographic order within each order.
std::vector<std::vector<Vertex>> cliques(const Adjacency& joined, int max_order) {
  std::vector<std::vector<Vertex>> tables;
  std::vector<Vertex> clique;
  const std::function<void(Vertex)> extend = [&](Vertex from) {
    for (Vertex v = from; v < static_cast<Vertex>(joined.size()); ++v) {
      if (!std::ranges::all_of(clique, [&](Vertex u) { return joined[u][v]; })) continue;
      clique.push_back(v);
      if (tables.size() < clique.size()) tables.resize(clique.size());
      auto& table = tables[clique.size() - 1];
      table.insert(table.end(), clique.begin(), clique.end());
      if (static_cast<int>(clique.size()) <= max_order) extend(v + 1);
      clique.pop_back();
    }
  };
  extend(0);
  return tables;
}

// Equal tables, where the reference's faces are found by the checked construction.
void expect_same(const SimplicialComplex& complex, const std::vector<std::vector<Vertex>>& tables,
                 const std::string& what) {
  const SimplicialComplex checked = SimplicialComplex::from_sorted_tables(tables);
  ASSERT_EQ(complex.order(), checked.order()) << what;
  for (int k = 0; k <= checked.order(); ++k) {
    ASSERT_TRUE(std::ranges::equal(complex.face_table(k), checked.face_table(k))) << what << ", order " << k;
    ASSERT_TRUE(std::ranges::equal(complex.vertex_table(k), checked.vertex_table(k)))
        << what << ", order " << k;
  }
}

void expect_cliques(const std::vector<Edge>& edges, Index vertex_count, int max_order,
                    const std::string& what) {
  expect_same(clique_complex(edges, vertex_count, max_order),
              cliques(adjacency(edges, vertex_count), max_order), what);
}

TEST(CliqueComplex, EqualsAllCliquesOfRandomGraphs) {
  RandomStream random(1, "test");
  for (int round = 0; round < 200; ++round) {
    const auto n = static_cast<Index>(1 + random.below(24));
    const auto m = static_cast<Index>(random.below(n * (n - 1) / 2 + 1));
    for (const int max_order : {0, 1, 2, 3, 4, 100}) {
      if (max_order == 100 && n > 14) continue;
      const std::vector<Edge> edges = erdos_renyi(n, m, random);
      expect_cliques(edges, n, max_order, concat("n ", n, " m ", m, " max_order ", max_order));
    }
  }
}

// A few vertices are joined to nearly all others: the long lists are searched, not scanned.
TEST(CliqueComplex, EqualsAllCliquesOfGraphsWithHubs) {
  RandomStream random(2, "test");
  for (int round = 0; round < 20; ++round) {
    const Index n = 200;
    std::vector<Edge> edges;
    for (int h = 0; h < 4; ++h) {
      const auto hub = static_cast<Vertex>(random.below(n));
      for (Vertex v = 0; v < n; ++v) {
        if (v != hub && random.below(8) > 0) edges.push_back({hub, v});
      }
    }
    const std::vector<Edge> others = erdos_renyi(n, 400, random);
    edges.insert(edges.end(), others.begin(), others.end());
    expect_cliques(edges, n, 4, concat("round ", round));
    expect_cliques(barabasi_albert(n, 5, random), n, 3, concat("Barabasi-Albert, round ", round));
  }
}

TEST(CliqueComplex, DoesNotDependOnTheOrderOfEdges) {
  RandomStream random(3, "test");
  std::vector<Edge> edges = erdos_renyi(40, 300, random);
  const SimplicialComplex complex = clique_complex(edges, 40, 5);
  for (int round = 0; round < 10; ++round) {
    random.shuffle(edges);
    for (Edge& edge : edges) {
      if (random.below(2)) std::swap(edge[0], edge[1]);
    }
    edges.push_back(edges[random.below(edges.size())]);
    EXPECT_EQ(clique_complex(edges, 40, 5), complex);
  }
}

TEST(CliqueComplex, OfNothingAndOfPoints) {
  EXPECT_EQ(clique_complex(std::vector<Edge>{}, 0, 3).order(), -1);
  EXPECT_EQ(clique_complex(std::vector<Edge>{}, 5, 3).order(), 0);
  EXPECT_EQ(clique_complex(std::vector<Edge>{{0, 1}}, 2, 0).order(), 0);
  EXPECT_EQ(clique_complex(std::vector<Edge>{{0, 1}}, 2, 3).order(), 1);
}

TEST(CliqueComplex, OfACompleteGraphIsOneSimplex) {
  std::vector<Edge> edges;
  for (Vertex a = 0; a < 10; ++a) {
    for (Vertex b = 0; b < a; ++b) edges.push_back({a, b});
  }
  const SimplicialComplex complex = clique_complex(edges, 10, 1'000'000);
  EXPECT_EQ(complex.order(), 9);
  EXPECT_EQ(complex.count(4), 252);
  EXPECT_EQ(complex.count(9), 1);
}

std::string message_of(Fault fault, const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), fault);
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

TEST(CliqueComplex, BadEdgesAreNamed) {
  const std::vector<Edge> loop{{0, 1}, {2, 2}}, outside{{0, 1}, {1, 2}, {7, 1}}, negative{{-3, 1}};
  EXPECT_NE(message_of(Fault::argument, [&] { clique_complex(loop, 3, 2); }).find("(2 2) as edge 1"),
            std::string::npos);
  EXPECT_NE(message_of(Fault::argument, [&] { clique_complex(outside, 3, 2); }).find("edge 2 = (7 1)"),
            std::string::npos);
  EXPECT_NE(message_of(Fault::argument, [&] { clique_complex(negative, 3, 2); }).find("(-3 1)"),
            std::string::npos);
  message_of(Fault::argument, [&] { clique_complex(std::vector<Edge>{}, -1, 2); });
  message_of(Fault::argument, [&] { clique_complex(std::vector<Edge>{}, 3, -1); });
}

TEST(CliqueComplex, StopsAtTheLimits) {
  std::vector<Edge> edges;
  for (Vertex a = 0; a < 100; ++a) {
    for (Vertex b = 0; b < a; ++b) edges.push_back({a, b});
  }
  // 100 + 4950 + 161 700 + 3 921 225 simplices.
  EXPECT_EQ(clique_complex(edges, 100, 2, {.max_simplices = 166'750}).count(2), 161'700);
  const std::string many =
      message_of(Fault::resource, [&] { clique_complex(edges, 100, 2, {.max_simplices = 166'749}); });
  EXPECT_NE(many.find("max_simplices = 166749"), std::string::npos) << many;
  EXPECT_NE(many.find("166750"), std::string::npos) << many;
  message_of(Fault::resource, [&] { clique_complex(edges, 100, 90, {.max_simplices = 10'000'000}); });
  message_of(Fault::resource, [&] { clique_complex(edges, 100, 90, {.max_memory = 50 << 20}); });
  message_of(Fault::resource, [&] { clique_complex(edges, 100, 1, {.max_simplices = 100}); });
  message_of(Fault::resource, [&] { clique_complex(edges, 100, 1, {.max_memory = 1000}); });
  message_of(Fault::resource, [] { clique_complex(std::vector<Edge>{}, 2'000'000'000, 1); });
}

TEST(Graph, OfAComplexIsItsOneSkeleton) {
  RandomStream random(4, "test");
  const SimplicialComplex complex = clique_complex(erdos_renyi(30, 100, random), 30, 3);
  const Graph graph = graph_of(complex);
  EXPECT_EQ(graph.vertex_count(), 30);
  EXPECT_EQ(graph.edge_count(), 100);
  EXPECT_EQ(clique_complex(graph, 3), complex);
}

#ifdef GSAN_HAVE_GUDHI
TEST(CliqueComplex, CountsEqualGudhisExpansion) {
  RandomStream random(5, "test");
  for (const auto& [n, m] : {std::pair<Index, Index>{60, 600}, {200, 1500}, {40, 780}}) {
    const std::vector<Edge> edges = erdos_renyi(n, m, random);
    Gudhi::Simplex_tree<> tree;
    for (Vertex v = 0; v < n; ++v) tree.insert_simplex({v});
    for (const auto& [a, b] : edges) tree.insert_simplex({a, b});
    tree.expansion(4);
    std::vector<Index> counts(5, 0);
    for (const auto& simplex : tree.complex_simplex_range()) ++counts[tree.dimension(simplex)];
    const SimplicialComplex complex = clique_complex(edges, n, 4);
    for (int k = 0; k <= 4; ++k) EXPECT_EQ(complex.count(k), counts[k]) << "order " << k;
  }
}
#endif

#ifdef GSAN_HAVE_RAPIDCHECK
RC_GTEST_PROP(CliqueComplexProperty, EqualsAllCliques, ()) {
  const auto n = *rc::gen::inRange<Index>(1, 13);
  std::vector<Edge> edges;
  for (const auto& [a, b] : *rc::gen::container<std::vector<std::pair<Vertex, Vertex>>>(
           rc::gen::pair(rc::gen::inRange<Vertex>(0, n), rc::gen::inRange<Vertex>(0, n)))) {
    if (a != b) edges.push_back({a, b});
  }
  const auto max_order = *rc::gen::inRange(0, 6);
  const SimplicialComplex complex = clique_complex(edges, n, max_order);
  const auto checked = SimplicialComplex::from_sorted_tables(cliques(adjacency(edges, n), max_order));
  RC_ASSERT(complex == checked);
  for (int k = 0; k <= checked.order(); ++k) {
    RC_ASSERT(std::ranges::equal(complex.vertex_table(k), checked.vertex_table(k)));
  }
}
#endif

}  // namespace
}  // namespace gsan
