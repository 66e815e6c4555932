#include "gsan/topology/hex_grid.h"

#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/topology/homology.h"

namespace gsan {
namespace {

TEST(HexGrid, CountsOfAPatchWithoutHoles) {
  for (const auto& [rows, columns] : {std::pair{1, 1}, {1, 5}, {4, 1}, {3, 2}, {5, 4}, {7, 7}}) {
    const SimplicialComplex complex = hex_grid(rows, columns).complex;
    EXPECT_EQ(complex.count(0), columns * rows);
    EXPECT_EQ(complex.count(2), 2 * (columns - 1) * (rows - 1));
    // A patch is a disc (or a path): χ = 1 gives the edges.
    EXPECT_EQ(complex.count(1), complex.count(0) + complex.count(2) - 1);
    EXPECT_LE(complex.order(), 2);
  }
}

TEST(HexGrid, EveryEdgeHasLengthOneAndInnerVerticesHaveSix) {
  const EmbeddedComplex grid = hex_grid(7, 6);
  for (Index e = 0; e < grid.complex.count(1); ++e) {
    const auto ends = grid.complex.vertices(1, e);
    const double* a = &grid.points[2 * ends[0]];
    const double* b = &grid.points[2 * ends[1]];
    EXPECT_NEAR(std::hypot(a[0] - b[0], a[1] - b[1]), 1.0, 1e-12);
  }
  for (Index r = 1; r < 6; ++r) {
    for (Index c = 1; c < 5; ++c) EXPECT_EQ(grid.complex.cofaces(0, r * 6 + c).size(), 6u);
  }
}

TEST(HexGrid, APointTakenOutLeavesAHexagon) {
  const EmbeddedComplex whole = hex_grid(5, 6), grid = hex_grid(5, 6, std::array{Disc{3, std::sqrt(3.0), 0}});
  EXPECT_EQ(grid.complex.count(0), whole.complex.count(0) - 1);
  EXPECT_EQ(grid.complex.count(1), whole.complex.count(1) - 6);
  EXPECT_EQ(grid.complex.count(2), whole.complex.count(2) - 6);
  EXPECT_EQ(grid.points.size(), 2u * grid.complex.count(0));
}

TEST(HexGrid, EachHoleInsideAddsACycle) {
  std::vector<Disc> holes;
  for (Index expected = 1; expected <= 3; ++expected) {
    holes.push_back({5.0 * expected, 5, 1.2});
    EXPECT_EQ(betti_numbers(hex_grid(12, 20, holes).complex), (std::vector<Index>{1, expected, 0}));
  }
}

TEST(HexGrid, AHoleOverEverythingLeavesTheEmptyComplex) {
  EXPECT_EQ(hex_grid(3, 3, std::array{Disc{1, 1, 10}}).complex.order(), -1);
  EXPECT_EQ(hex_grid(3, 0).complex.order(), -1);
}

TEST(HexGrid, SizeAndHolesAreChecked) {
  EXPECT_THROW(hex_grid(3, -1), Error);
  EXPECT_THROW(hex_grid(3, 3, std::array{Disc{std::nan(""), 0, 1}}), Error);
  EXPECT_THROW(hex_grid(3, 3, std::array{Disc{0, 0, -1}}), Error);
  try {
    hex_grid(3, 3, std::array{Disc{0, 0, 0}, Disc{50, 50, 2}});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("hole 1 (center 50 50"), std::string::npos) << error.what();
  }
  try {
    hex_grid(100'000, 100'000);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::resource);
  }
}

}  // namespace
}  // namespace gsan
