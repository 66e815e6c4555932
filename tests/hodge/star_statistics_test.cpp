#include "gsan/hodge/neighborhood/star_statistics.h"

#include <vector>

#include <gtest/gtest.h>

#include "gsan/topology/clique_complex.h"

namespace gsan {
namespace {

TEST(StarStatistic, IsTheMeanSizeOfAStarSeenFromItsIncidences) {
  const std::vector<Edge> triangle = {{0, 1}, {1, 2}, {0, 2}};
  const auto filled = clique_complex(triangle, 3, 2);
  EXPECT_EQ(star_statistic(filled, 1), 2);  // three vertices of degree 2, six incidences
  EXPECT_EQ(star_statistic(filled, 2), 1);  // three edges in one triangle
  // Hub with four leaves: (16 + 4) / 8. An isolated vertex adds nothing.
  const std::vector<Edge> hub = {{0, 1}, {0, 2}, {0, 3}, {0, 4}};
  EXPECT_EQ(star_statistic(clique_complex(hub, 5, 1), 1), 2.5);
  EXPECT_EQ(star_statistic(clique_complex(hub, 6, 1), 1), 2.5);
}

TEST(StarStatistic, IsZeroWithoutIncidences) {
  const auto points = clique_complex(std::vector<Edge>{}, 3, 1);
  for (const int k : {-1, 0, 1, 2}) EXPECT_EQ(star_statistic(points, k), 0) << k;
  EXPECT_EQ(star_statistic(SimplicialComplex(), 1), 0);
}

TEST(ChooseKernel, TakesPairsForSmallStarsAndStarsForHubs) {
  EXPECT_EQ(choose_kernel(11.99, 1), AttentionKernel::pairs);
  EXPECT_EQ(choose_kernel(16.01, 1000), AttentionKernel::stars);
  for (const double between : {12., 14., 16.}) {
    EXPECT_EQ(choose_kernel(between, 32), AttentionKernel::stars);
    EXPECT_EQ(choose_kernel(between, 33), AttentionKernel::pairs);
  }
}

}  // namespace
}  // namespace gsan
