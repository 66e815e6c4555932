#include "gsan/plot/layout.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/topology/builder.h"
#include "gsan/topology/examples.h"
#include "gsan/topology/hex_grid.h"

namespace gsan {
namespace {

constexpr LayoutKind kinds[] = {LayoutKind::spring, LayoutKind::spectral};

double distance(const std::vector<double>& places, Vertex a, Vertex b) {
  return std::hypot(places[2 * a] - places[2 * b], places[2 * a + 1] - places[2 * b + 1]);
}

TEST(Layout, EveryExampleHasFinitePlacesTheSameEachTime) {
  for (const Example& example : examples()) {
    const SimplicialComplex complex = example_complex(example.name).complex;
    for (const LayoutKind kind : kinds) {
      const std::vector<double> places = vertex_layout(complex, kind);
      ASSERT_EQ(places.size(), 2u * complex.count(0));
      for (const double value : places) EXPECT_TRUE(std::isfinite(value)) << example.name;
      EXPECT_EQ(places, vertex_layout(complex, kind)) << example.name;
    }
  }
}

TEST(Layout, SpringsUnfoldAGrid) {
  // On a grid the length of shortest paths is nearly that of straight lines, so edges keep about length 1 and
  // corners are far apart.
  const SimplicialComplex grid = hex_grid(8, 8).complex;
  const std::vector<double> places = vertex_layout(grid);
  for (Index e = 0; e < grid.count(1); ++e) {
    const auto ends = grid.vertices(1, e);
    EXPECT_NEAR(distance(places, ends[0], ends[1]), 1, 0.35) << e;
  }
  EXPECT_GT(distance(places, 0, 63), 6);
  EXPECT_GT(distance(places, 7, 56), 6);
}

TEST(Layout, APathIsDrawnStraight) {
  std::vector<std::vector<Vertex>> edges;
  for (Vertex v = 0; v + 1 < 20; ++v) edges.push_back({v, v + 1});
  const SimplicialComplex path = from_maximal_simplices(edges);
  EXPECT_NEAR(distance(vertex_layout(path), 0, 19), 19, 0.5);
  const std::vector<double> spectral = vertex_layout(path, LayoutKind::spectral);
  const bool is_increasing = spectral[2 * 19] > spectral[0];
  for (Vertex v = 0; v + 1 < 20; ++v) EXPECT_EQ(spectral[2 * v + 2] > spectral[2 * v], is_increasing) << v;
}

TEST(Layout, ComponentsLieBesideEachOther) {
  const SimplicialComplex complex = from_maximal_simplices(
      std::vector<std::vector<Vertex>>{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5, 6}, {7}, {8}, {9, 10}});
  for (const LayoutKind kind : kinds) {
    const std::vector<double> places = vertex_layout(complex, kind);
    for (Vertex a = 0; a < 11; ++a)
      for (Vertex b = 0; b < a; ++b) EXPECT_GT(distance(places, a, b), 0.2) << a << " " << b;
    for (const Vertex lonely : {7, 8})
      for (Vertex b = 0; b < 11; ++b)
        EXPECT_TRUE(b == lonely || distance(places, lonely, b) >= 0.99) << lonely << " " << b;
  }
}

TEST(Layout, NothingAndOneVertex) {
  EXPECT_TRUE(vertex_layout(SimplicialComplex()).empty());
  EXPECT_EQ(vertex_layout(from_maximal_simplices(std::vector<std::vector<Vertex>>{{0}})),
            (std::vector<double>{0, 0}));
}

TEST(Layout, AnotherNameIsRefused) {
  EXPECT_EQ(layout_kind("spectral"), LayoutKind::spectral);
  EXPECT_THROW(layout_kind("circle"), Error);
}

}  // namespace
}  // namespace gsan
