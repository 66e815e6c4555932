#include "gsan/plot/projection.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gsan/core/check.h"

namespace gsan {
namespace {

TEST(Projection, PointsInThePlaneStayAsTheyAre) {
  const std::vector<double> points{1, 2, 3, -4};
  EXPECT_EQ(project_points(points, 2).xy, points);
  EXPECT_TRUE(project_points(points, 2).depth.empty());
  EXPECT_EQ(project_points(points, 1).xy, (std::vector<double>{1, 0, 2, 0, 3, 0, -4, 0}));
}

TEST(Projection, PrincipalAxesAreThoseOfLargestVariance) {
  // Long along z, shorter along x, flat along y.
  std::vector<double> points;
  for (int i = -3; i <= 3; ++i)
    for (int j = -1; j <= 1; ++j) points.insert(points.end(), {1.0 * j, 0.01 * ((i + j) % 2), 2.0 * i});
  const VertexPlaces places = project_points(points, 3);
  for (std::size_t v = 0; v < points.size() / 3; ++v) {
    EXPECT_NEAR(places.xy[2 * v], points[3 * v + 2], 0.05);
    EXPECT_NEAR(places.xy[2 * v + 1], points[3 * v], 0.05);
  }
}

TEST(Projection, DistancesInASlopingPlaneAreKept) {
  const std::vector<double> points{0, 0, 0, 1, 1, 0, 0, 1, 1, 3, 0, -3};  // in x − y + z = 0
  const VertexPlaces places = project_points(points, 3);
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      double squares = 0;
      for (std::size_t c = 0; c < 3; ++c) squares += std::pow(points[3 * a + c] - points[3 * b + c], 2);
      EXPECT_NEAR(
          std::hypot(places.xy[2 * a] - places.xy[2 * b], places.xy[2 * a + 1] - places.xy[2 * b + 1]),
          std::sqrt(squares), 1e-9);
    }
}

TEST(Projection, ViewsByNameAndByAngle) {
  const std::vector<double> points{1, 2, 3};
  EXPECT_EQ(project_points(points, 3, "xz").xy, (std::vector<double>{1, 3}));
  EXPECT_EQ(project_points(points, 3, "yz").depth, (std::vector<double>{1}));
  const VertexPlaces from_front =
      project_points(points, 3, "-90,0");  // from negative y: x to the right, z up
  EXPECT_NEAR(from_front.xy[0], 1, 1e-12);
  EXPECT_NEAR(from_front.xy[1], 3, 1e-12);
  EXPECT_NEAR(from_front.depth[0], -2, 1e-12);
}

TEST(Projection, EqualPointsAndPointsWithoutPlace) {
  const double nan = std::nan("");
  const VertexPlaces places = project_points(std::vector<double>{1, 1, 1, 1, nan, 1, 1, 1, 1}, 3);
  EXPECT_TRUE(std::isnan(places.xy[2]) && std::isnan(places.xy[3]));
  EXPECT_EQ(places.xy[0], places.xy[4]);
  EXPECT_TRUE(std::isfinite(places.xy[0]) && std::isfinite(places.xy[1]));
}

TEST(Projection, OtherViewsAreRefused) {
  const std::vector<double> points{1, 2, 3};
  for (const char* view : {"zz", "10", "10,", "10,20x", ""})
    EXPECT_THROW(project_points(points, 3, view), Error) << view;
  EXPECT_THROW(project_points(std::vector<double>{1, 2}, 2, "xz"), Error);
  EXPECT_THROW(project_points(points, 2), Error);
}

}  // namespace
}  // namespace gsan
