#include "gsan/topology/hex_grid.h"

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "gsan/core/check.h"
#include "gsan/topology/budget.h"
#include "gsan/topology/clique_complex.h"

namespace gsan {
namespace {

constexpr double row_height = std::numbers::sqrt3 / 2;
constexpr double rounding = 1e-9;  // of the lattice spacing, for points on the rim of a hole

}  // namespace

EmbeddedComplex hex_grid(Index rows, Index columns, std::span<const Disc> holes, Limits limits) {
  GSAN_CHECK(rows >= 0 && columns >= 0, "hex_grid: rows and columns must not be negative, got ", rows, " x ",
             columns);
  check_simplices(limits, "hex_grid", static_cast<double>(rows) * columns, "(the lattice points alone)");
  check_memory(limits, "hex_grid", 64.0 * rows * columns, "the lattice and its complex");

  for (std::size_t h = 0; h < holes.size(); ++h) {
    GSAN_CHECK(std::isfinite(holes[h].x) && std::isfinite(holes[h].y) && holes[h].radius >= 0,
               "hex_grid: a hole needs a finite center and a radius >= 0, got center ", holes[h].x, " ",
               holes[h].y, " and radius ", holes[h].radius, " as hole ", h);
  }

  EmbeddedComplex grid;
  grid.dimension = 2;
  std::vector<Vertex> vertex(static_cast<std::size_t>(rows) * columns, -1);  // −1: in a hole
  std::vector<Index> removed(holes.size(), 0);
  Index count = 0;
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < columns; ++c) {
      const double x = c + (r % 2) * 0.5, y = r * row_height;
      bool kept = true;
      for (std::size_t h = 0; h < holes.size(); ++h) {
        if (std::hypot(x - holes[h].x, y - holes[h].y) <= holes[h].radius + rounding) {
          ++removed[h];
          kept = false;
        }
      }
      if (!kept) continue;
      vertex[static_cast<std::size_t>(r) * columns + c] = count++;
      grid.points.insert(grid.points.end(), {x, y});
    }
  }
  for (std::size_t h = 0; h < holes.size(); ++h) {
    GSAN_CHECK(removed[h] > 0, "hex_grid: hole ", h, " (center ", holes[h].x, " ", holes[h].y, ", radius ",
               holes[h].radius, ") holds no point of the ", rows, " x ", columns,
               " lattice; move it inside or enlarge it (neighbouring points are 1 apart)");
  }

  // Three neighbours of each point: to the right, and the two in the next row.
  std::vector<Edge> edges;
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < columns; ++c) {
      const Index left = r % 2 ? c : c - 1;  // above, half a step to the left
      for (const auto& [next_row, next] : {std::pair{r, c + 1}, {r + 1, left}, {r + 1, left + 1}}) {
        if (next_row == rows || next < 0 || next == columns) continue;
        const Vertex a = vertex[static_cast<std::size_t>(r) * columns + c];
        const Vertex b = vertex[static_cast<std::size_t>(next_row) * columns + next];
        if (a >= 0 && b >= 0) edges.push_back({a, b});
      }
    }
  }
  // Three lattice points at pairwise distance 1 are a small triangle, and no four are.
  grid.complex = clique_complex(edges, count, 2, limits);
  return grid;
}

}  // namespace gsan
