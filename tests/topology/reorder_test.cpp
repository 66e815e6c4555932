#include "gsan/topology/reorder.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#ifdef GSAN_HAVE_RAPIDCHECK
#include <rapidcheck/gtest.h>
#endif

#include "gsan/core/check.h"
#include "gsan/core/random.h"
#include "gsan/topology/builder.h"
#include "gsan/topology/relabel.h"

#include "support/random_complex.h"

namespace gsan {
namespace {

// The centres of an n^D grid of cells, in random order.
std::vector<std::vector<double>> shuffled_grid(int n, int dimension) {
  std::vector<std::vector<double>> points{{}};
  for (int axis = 0; axis < dimension; ++axis) {
    std::vector<std::vector<double>> longer;
    for (const auto& point : points) {
      for (int i = 0; i < n; ++i) {
        longer.push_back(point);
        longer.back().push_back(i + 0.5);
      }
    }
    points = std::move(longer);
  }
  RandomStream(3, "grid").shuffle(points);
  return points;
}

std::vector<double> flat(const std::vector<std::vector<double>>& points) {
  std::vector<double> table;
  for (const auto& point : points) table.insert(table.end(), point.begin(), point.end());
  return table;
}

// A band of triangles with shuffled names.
SimplicialComplex strip(Vertex length, std::uint64_t seed) {
  const std::vector<Vertex> name = random_permutation(length, seed);
  ComplexBuilder builder;
  for (Vertex v = 0; v + 2 < length; ++v) builder.add({name[v], name[v + 1], name[v + 2]});
  return builder.build();
}

Vertex bandwidth(const SimplicialComplex& complex) {
  Vertex width = 0;
  for (Index e = 0; e < complex.count(1); ++e) {
    width = std::max(width, complex.vertices(1, e)[1] - complex.vertices(1, e)[0]);
  }
  return width;
}

TEST(Reorder, HilbertCurveStepsFromCellToNeighbouringCell) {
  for (const int dimension : {2, 3}) {
    const auto points = shuffled_grid(8, dimension);
    const std::vector<Vertex> along = inverse_permutation(hilbert_order(flat(points), dimension));
    for (std::size_t i = 1; i < along.size(); ++i) {
      double distance = 0;
      for (int axis = 0; axis < dimension; ++axis) {
        distance += std::abs(points[along[i]][axis] - points[along[i - 1]][axis]);
      }
      ASSERT_EQ(distance, 1) << "step " << i << " in dimension " << dimension;
    }
  }
}

TEST(Reorder, HilbertOrderTakesAnyFinitePoints) {
  EXPECT_TRUE(hilbert_order({}, 2).empty());
  EXPECT_EQ(hilbert_order(std::vector<double>{5, 5, 5, 5}, 2), (std::vector<Vertex>{0, 1}));  // one place
  const double huge = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(hilbert_order(std::vector<double>{-huge, 0, huge, 0}, 2), (std::vector<Vertex>{0, 1}));
  EXPECT_EQ(hilbert_order(std::vector<double>{0, 0, 0, tiny, tiny, tiny}, 3).size(), 2u);
}

TEST(Reorder, HilbertOrderRejectsOtherTables) {
  EXPECT_THROW(hilbert_order(std::vector<double>{1, 2, 3}, 2), Error);
  EXPECT_THROW(hilbert_order(std::vector<double>{1, 2, 3, 4}, 4), Error);
  EXPECT_THROW(hilbert_order(std::vector<double>{1, std::nan("")}, 2), Error);
  EXPECT_THROW(hilbert_order(std::vector<double>{1, std::numeric_limits<double>::infinity()}, 2), Error);
}

TEST(Reorder, CuthillMcKeeFindsTheBandOfAStrip) {
  const SimplicialComplex complex = strip(500, 1);
  EXPECT_GT(bandwidth(complex), 100);
  EXPECT_LE(bandwidth(relabel(complex, reverse_cuthill_mckee(complex)).complex), 3);
}

TEST(Reorder, CuthillMcKeeFindsTheBandOfAPath) {
  ComplexBuilder path;
  const std::vector<Vertex> name = random_permutation(200, 5);
  for (Vertex v = 0; v + 1 < 200; ++v) path.add({name[v], name[v + 1]});
  const SimplicialComplex complex = path.build();
  EXPECT_EQ(bandwidth(relabel(complex, reverse_cuthill_mckee(complex)).complex), 1);
}

TEST(Reorder, CuthillMcKeeKeepsComponentsTogetherAndTakesTheEmptyComplex) {
  EXPECT_TRUE(reverse_cuthill_mckee(SimplicialComplex()).empty());
  EXPECT_EQ(reverse_cuthill_mckee(ComplexBuilder().add_vertices(3).build()).size(), 3u);
  ComplexBuilder two;  // even and odd vertices
  for (Vertex v = 0; v + 2 < 40; ++v) two.add({v, v + 2});
  const std::vector<Vertex> along = inverse_permutation(reverse_cuthill_mckee(two.build()));
  int changes = 0;
  for (std::size_t i = 1; i < along.size(); ++i) changes += along[i] % 2 != along[i - 1] % 2;
  EXPECT_EQ(changes, 1);
}

#ifdef GSAN_HAVE_RAPIDCHECK
RC_GTEST_PROP(Reorder, IsExactAndUndoneByTheMap, (const SimplicialComplex& complex)) {
  const MappedComplex to = relabel(complex, reverse_cuthill_mckee(complex));
  ComplexBuilder back;
  for (int k = 0; k <= to.complex.order(); ++k) {
    std::vector<int> value(complex.count(k)), returned(complex.count(k), -1);
    for (Index i = 0; i < complex.count(k); ++i) value[i] = 3 * i + 1;
    for (Index i = 0; i < to.complex.count(k); ++i) {
      const int moved = to.sign[k][i] * value[to.source[k][i]];
      returned[to.source[k][i]] = to.sign[k][i] * moved;
      std::vector<Vertex> simplex;
      for (const Vertex v : to.complex.vertices(k, i)) simplex.push_back(to.source[0][v]);
      back.add(simplex);
    }
    RC_ASSERT(returned == value);
  }
  RC_ASSERT(back.build() == complex);
}
#endif

}  // namespace
}  // namespace gsan
