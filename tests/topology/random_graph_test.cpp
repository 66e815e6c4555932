#include "gsan/topology/random_graph.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "gsan/core/check.h"

namespace gsan {
namespace {

std::set<std::pair<Vertex, Vertex>> different(const std::vector<Edge>& edges) {
  std::set<std::pair<Vertex, Vertex>> pairs;
  for (const auto& [a, b] : edges) pairs.insert(std::minmax(a, b));
  return pairs;
}

TEST(RandomGraph, ErdosRenyiDrawsDifferentEdgesUpToAllOfThem) {
  RandomStream random(1, "test");
  for (const auto& [n, m] : {std::pair<Index, Index>{0, 0}, {1, 0}, {2, 1}, {10, 45}, {10, 44}, {100, 300}}) {
    const std::vector<Edge> edges = erdos_renyi(n, m, random);
    EXPECT_EQ(edges.size(), static_cast<std::size_t>(m));
    EXPECT_EQ(different(edges).size(), static_cast<std::size_t>(m));
    for (const auto& [a, b] : edges) EXPECT_TRUE(0 <= a && a < b && b < n);
  }
  EXPECT_THROW(erdos_renyi(3, 4, random), Error);
  EXPECT_THROW(erdos_renyi(-1, 0, random), Error);
}

TEST(RandomGraph, ErdosRenyiDrawsEveryEdgeAboutEquallyOften) {
  RandomStream random(2, "test");
  std::vector<int> count(10, 0);  // the pairs of 5 vertices; 10 000 draws of 3: expect 3000 ± 46
  for (int round = 0; round < 10'000; ++round) {
    for (const auto& [a, b] : erdos_renyi(5, 3, random)) ++count[b * (b - 1) / 2 + a];
  }
  for (const int c : count) EXPECT_NEAR(c, 3000, 230);
}

TEST(RandomGraph, BarabasiAlbertGrowsHubs) {
  RandomStream random(3, "test");
  const std::vector<Edge> edges = barabasi_albert(2000, 3, random);
  EXPECT_EQ(edges.size(), 3u + 3 * (2000 - 4));
  EXPECT_EQ(different(edges).size(), edges.size());
  std::vector<int> degree(2000, 0);
  for (const auto& [a, b] : edges) {
    EXPECT_LT(a, b);
    ++degree[a], ++degree[b];
  }
  EXPECT_GT(*std::ranges::max_element(degree), 40);  // the mean is 6
  EXPECT_THROW(barabasi_albert(3, 3, random), Error);
  EXPECT_THROW(barabasi_albert(3, 0, random), Error);
}

}  // namespace
}  // namespace gsan
