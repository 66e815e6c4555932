#include "gsan/topology/delaunay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/core/random.h"
#include "gsan/topology/random_graph.h"

namespace gsan {
namespace {

using Points = std::vector<double>;

std::int64_t characteristic(const SimplicialComplex& complex) {
  std::int64_t sum = 0;
  for (int k = 0; k <= complex.order(); ++k) sum += face_sign(k) * complex.count(k);
  return sum;
}

// Determinant by elimination with pivoting.
double determinant(std::vector<std::vector<double>> a) {
  double product = 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t pivot = i;
    for (std::size_t r = i + 1; r < a.size(); ++r) {
      if (std::abs(a[r][i]) > std::abs(a[pivot][i])) pivot = r;
    }
    if (pivot != i) product = -product;
    std::swap(a[i], a[pivot]);
    if (a[i][i] == 0) return 0;
    product *= a[i][i];
    for (std::size_t r = i + 1; r < a.size(); ++r) {
      const double factor = a[r][i] / a[i][i];
      for (std::size_t c = i; c < a.size(); ++c) a[r][c] -= factor * a[i][c];
    }
  }
  return product;
}

// Rows v_j − v_0, j = 1 … d, of a top simplex.
std::vector<std::vector<double>> edge_vectors(const Points& points, int d, std::span<const Vertex> simplex) {
  std::vector<std::vector<double>> rows;
  for (int j = 1; j <= d; ++j) {
    rows.emplace_back();
    for (int c = 0; c < d; ++c)
      rows.back().push_back(points[simplex[j] * d + c] - points[simplex[0] * d + c]);
  }
  return rows;
}

double volume(const Points& points, int d, const SimplicialComplex& complex) {
  double sum = 0;
  for (Index i = 0; i < complex.count(d); ++i) {
    sum += std::abs(determinant(edge_vectors(points, d, complex.vertices(d, i)))) / (d == 2 ? 2 : 6);
  }
  return sum;
}

// Whether q lies inside the circumsphere by more than rounding: the sign of the lifted determinant.
bool inside_circumsphere(const Points& points, int d, std::span<const Vertex> simplex, Vertex q) {
  std::vector<std::vector<double>> rows;
  for (const Vertex v : simplex) {
    rows.emplace_back();
    double square = 0;
    for (int c = 0; c < d; ++c) {
      const double difference = points[v * d + c] - points[q * d + c];
      rows.back().push_back(difference);
      square += difference * difference;
    }
    rows.back().push_back(square);
  }
  const double orientation = determinant(edge_vectors(points, d, simplex));
  const double lifted = determinant(rows) * (d == 2 ? 1 : -1);
  return lifted * (orientation > 0 ? 1 : -1) > 1e-12;
}

std::string message_of(Fault fault, const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), fault) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

class Delaunay : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_delaunay()) GTEST_SKIP() << "built without Qhull";
  }
};

TEST_F(Delaunay, NoPointLiesInsideACircumsphere) {
  RandomStream random(1, "test");
  for (const int d : {2, 3}) {
    for (const Index n : {d + 1, d + 2, 10, 60, 150}) {
      const Points points = uniform_points(n, d, random);
      const SimplicialComplex complex = delaunay(points, d);
      ASSERT_EQ(complex.count(0), n);
      ASSERT_EQ(complex.order(), d);
      for (Index i = 0; i < complex.count(d); ++i) {
        const auto simplex = complex.vertices(d, i);
        for (Vertex q = 0; q < n; ++q) {
          if (std::ranges::find(simplex, q) != simplex.end()) continue;
          ASSERT_FALSE(inside_circumsphere(points, d, simplex, q))
              << "d " << d << " n " << n << " simplex " << i;
        }
      }
    }
  }
}

TEST_F(Delaunay, TilesTheConvexHull) {
  RandomStream random(2, "test");
  for (const int d : {2, 3}) {
    for (int round = 0; round < 10; ++round) {
      Points points = uniform_points(200, d, random);  // and the corners of the unit cube: the hull
      for (int corner = 0; corner < 1 << d; ++corner) {
        for (int c = 0; c < d; ++c) points.push_back(corner >> c & 1);
      }
      const SimplicialComplex complex = delaunay(points, d);
      EXPECT_NEAR(volume(points, d, complex), 1.0, 1e-12);
      EXPECT_EQ(characteristic(complex), 1);
    }
  }
}

TEST_F(Delaunay, GridsAreTriangulatedThoughCospherical) {
  for (const int d : {2, 3}) {
    const int side = d == 2 ? 20 : 7;
    Points points;
    for (int i = 0; i < std::pow(side, d); ++i) {
      for (int c = 0, rest = i; c < d; ++c, rest /= side) points.push_back(rest % side);
    }
    const SimplicialComplex complex = delaunay(points, d);
    EXPECT_EQ(characteristic(complex), 1);
    EXPECT_NEAR(volume(points, d, complex), std::pow(side - 1, d), 1e-9);
    if (d == 2) {
      EXPECT_EQ(complex.count(2), 2 * (side - 1) * (side - 1));
    }
  }
}

TEST_F(Delaunay, PointsOnOneCircle) {
  Points points;
  for (int i = 0; i < 50; ++i) points.insert(points.end(), {std::cos(i * 0.1256), std::sin(i * 0.1256)});
  const SimplicialComplex complex = delaunay(points, 2);
  EXPECT_EQ(complex.count(2), 48);
  EXPECT_EQ(characteristic(complex), 1);
}

TEST_F(Delaunay, DoesNotDependOnPlaceAndScale) {
  RandomStream random(3, "test");
  const Points points = uniform_points(100, 2, random);
  const SimplicialComplex complex = delaunay(points, 2);
  for (const double scale : {0x1p-1000, 0x1p-30, 0x1p100, 0x1p1000}) {
    Points moved = points;
    for (double& x : moved) x *= scale;
    EXPECT_EQ(delaunay(moved, 2), complex) << scale;
  }
  Points far = points;  // as map coordinates in metres
  for (double& x : far) x = std::round(x * 1e6) + 5e6;
  Points near = far;
  for (double& x : near) x -= 5e6;
  EXPECT_EQ(delaunay(far, 2), delaunay(near, 2));
}

TEST_F(Delaunay, DegenerateInputIsAClearError) {
  const auto expect = [](const Points& points, int d, const std::string& part) {
    const std::string message = message_of(Fault::argument, [&] { delaunay(points, d); });
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect({0, 0, 1, 1, 2, 2, 3, 3}, 2, "one line");
  expect({0, 0, 1, 0, 2, 0}, 2, "one line");
  expect({0.1, 0.1, 0.2, 0.2, 0.3, 0.3, 0.7, 0.7, 0.9, 0.9}, 2, "one line");
  expect({5, 7, 5, 7, 5, 7}, 2, "all 3 points coincide");
  expect({0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0, 0, 1}, 3, "one plane");
  expect({0, 0, 1, 0, 0, 1, 1, 1, 1, 0}, 2, "points 1 and 4 coincide");
  expect({0, 0, 1, 0}, 2, "at least 3 points");
  expect({0, 0, 1, 0, 0, 1, 0, 0, 1}, 3, "at least 4 points");
  expect({0, 0, 1, 0, 0, std::nan("")}, 2, "row 2, column 1");
  expect({0, 0, std::numeric_limits<double>::infinity(), 0, 0, 1}, 2, "row 1, column 0");
  expect({0, 0, 1, 0, 0}, 2, "multiple of the dimension");
  expect({0, 0, 1, 0}, 4, "dimension must be 2 or 3");
  EXPECT_EQ(delaunay(Points{}, 2).order(), -1);
  EXPECT_EQ(delaunay(Points{0, 0, 1, 0, 0, 1}, 2).count(2), 1);
}

TEST_F(Delaunay, ManyDuplicatesNeverCrash) {
  RandomStream random(4, "test");
  for (int round = 0; round < 50; ++round) {
    const int d = 2 + round % 2;
    Points points;
    for (int i = 0; i < 40 * d; ++i) points.push_back(static_cast<double>(random.below(round % 5 + 1)));
    try {
      delaunay(points, d);
    } catch (const Error&) {
    }
  }
}

TEST_F(Delaunay, WritesNothing) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  EXPECT_THROW(delaunay(Points{0, 0, 1, 1, 2, 2, 3, 3}, 2), Error);
  EXPECT_THROW(delaunay(Points{0, 0, 1, 0, 0, 1, 1, 1, 1, 0}, 2), Error);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST_F(Delaunay, StopsAtTheLimits) {
  RandomStream random(5, "test");
  const Points points = uniform_points(1000, 2, random);
  message_of(Fault::resource, [&] { delaunay(points, 2, {.max_simplices = 3000}); });
  message_of(Fault::resource, [&] { delaunay(points, 2, {.max_simplices = 5000}); });
  message_of(Fault::resource, [&] { delaunay(points, 2, {.max_memory = 100'000}); });
}

TEST(DelaunayMissing, IsAnErrorThatNamesThePackage) {
  if (has_delaunay()) GTEST_SKIP() << "built with Qhull";
  const std::string message = message_of(Fault::argument, [] { delaunay(Points{0, 0, 1, 0, 0, 1}, 2); });
  EXPECT_NE(message.find("libqhull-dev"), std::string::npos);
}

}  // namespace
}  // namespace gsan
