#include "gsan/topology/rips.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#ifdef GSAN_HAVE_GUDHI
#include <gudhi/Rips_complex.h>
#include <gudhi/Simplex_tree.h>
#include <gudhi/distance_functions.h>
#endif

#include "gsan/core/check.h"
#include "gsan/core/random.h"
#include "gsan/topology/random_graph.h"

namespace gsan {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<Edge> close_pairs(const std::vector<double>& points, int dimension, double length) {
  std::vector<Edge> pairs;
  const auto n = static_cast<Vertex>(points.size() / dimension);
  for (Vertex a = 0; a < n; ++a) {
    for (Vertex b = a + 1; b < n; ++b) {
      double sum = 0;
      for (int j = 0; j < dimension; ++j) {
        const double difference = points[a * dimension + j] - points[b * dimension + j];
        sum += difference * difference;
      }
      if (std::sqrt(sum) <= length) pairs.push_back({a, b});
    }
  }
  return pairs;
}

std::vector<Edge> edges_of(const Graph& graph) {
  std::vector<Edge> edges;
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Index e = graph.first[u]; e < graph.first[u + 1]; ++e) edges.push_back({u, graph.neighbors[e]});
  }
  return edges;
}

TEST(Rips, EdgesAreAllClosePairsInAnyDimension) {
  RandomStream random(1, "test");
  for (const int dimension : {1, 2, 3, 4, 7}) {
    for (const double length : {0.0, 1e-6, 0.02, 0.1, 0.5, 1.0, 10.0, infinity}) {
      const std::vector<double> points = uniform_points(150, dimension, random);
      EXPECT_EQ(edges_of(rips_graph(points, dimension, length)), close_pairs(points, dimension, length))
          << "dimension " << dimension << " length " << length;
    }
  }
}

// On a lattice many pairs lie at exactly the threshold, and points on the walls of cells.
TEST(Rips, PairsAtExactlyTheThresholdAreEdges) {
  for (const double step : {1.0, 0.1, 1.0 / 3, 1e-200, 1e200}) {
    std::vector<double> points;
    for (int x = 0; x < 12; ++x) {
      for (int y = 0; y < 12; ++y) points.insert(points.end(), {x * step - 5 * step, y * step});
    }
    std::vector<double> unit = points;
    for (double& value : unit) value = std::round(value / step);
    const Index diagonal = static_cast<Index>(close_pairs(unit, 2, 1.5).size());
    EXPECT_EQ(rips_graph(points, 2, 1.5 * step).edge_count(), diagonal) << step;
  }
  std::vector<double> line;
  for (int x = 0; x < 1000; ++x) line.push_back(x);
  for (const double length : {1.0, 2.0, 7.0})
    EXPECT_EQ(edges_of(rips_graph(line, 1, length)), close_pairs(line, 1, length));
}

TEST(Rips, ClustersOfVeryDifferentScale) {
  RandomStream random(2, "test");
  std::vector<double> points = uniform_points(100, 2, random);
  for (std::size_t i = 0; i < 100; ++i) points[i] *= 1e-6;
  points.insert(points.end(), {1e9, -1e9, 1e9, -1e9});
  for (const double length : {1e-8, 1e-6, 0.1, 1e8, 1e10}) {
    EXPECT_EQ(edges_of(rips_graph(points, 2, length)), close_pairs(points, 2, length)) << length;
  }
}

TEST(Rips, BadInputIsNamed) {
  const std::vector<double> points{0, 0, 1, 1}, not_finite{0, 0, 1, std::nan("")};
  EXPECT_THROW(rips_complex(points, 3, 1, 2), Error);
  EXPECT_THROW(rips_complex(points, 0, 1, 2), Error);
  EXPECT_THROW(rips_complex(points, 2, -1, 2), Error);
  EXPECT_THROW(rips_complex(points, 2, std::nan(""), 2), Error);
  EXPECT_THROW(rips_complex(points, 2, 1, -2), Error);
  try {
    rips_complex(not_finite, 2, 1, 2);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("row 1, column 1"), std::string::npos) << error.what();
  }
  EXPECT_EQ(rips_complex(std::vector<double>{}, 2, 1, 2).order(), -1);
  EXPECT_EQ(rips_complex(std::vector<double>{5}, 1, 1, 2).order(), 0);
}

TEST(Rips, StopsAtTheLimits) {
  RandomStream random(3, "test");
  const std::vector<double> points = uniform_points(2000, 2, random);
  const auto fault_of = [&](int max_order, Limits limits) {
    try {
      rips_complex(points, 2, infinity, max_order, limits);
    } catch (const Error& error) {
      return error.fault();
    }
    return Fault::io;
  };
  EXPECT_EQ(fault_of(1, {.max_simplices = 100'000}), Fault::resource);
  EXPECT_EQ(fault_of(1, {.max_memory = 1 << 20}), Fault::resource);
  EXPECT_EQ(fault_of(2000, {.max_simplices = 5'000'000}), Fault::resource);
  EXPECT_EQ(fault_of(1, {.max_simplices = 1000}), Fault::resource);
}

#ifdef GSAN_HAVE_GUDHI
TEST(Rips, CountsEqualGudhis) {
  RandomStream random(4, "test");
  for (const int dimension : {1, 2, 3, 5}) {
    const std::vector<double> flat = uniform_points(120, dimension, random);
    std::vector<std::vector<double>> points;
    for (std::size_t i = 0; i < flat.size(); i += dimension) {
      points.emplace_back(flat.begin() + i, flat.begin() + i + dimension);
    }
    const double length = 0.1 * dimension;
    Gudhi::rips_complex::Rips_complex<double> rips(points, length, Gudhi::Euclidean_distance());
    Gudhi::Simplex_tree<> tree;
    rips.create_complex(tree, 3);
    std::vector<Index> counts(4, 0);
    for (const auto& simplex : tree.complex_simplex_range()) ++counts[tree.dimension(simplex)];
    const SimplicialComplex complex = rips_complex(flat, dimension, length, 3);
    for (int k = 0; k <= 3; ++k)
      EXPECT_EQ(complex.count(k), counts[k]) << "dimension " << dimension << " order " << k;
  }
}
#endif

}  // namespace
}  // namespace gsan
