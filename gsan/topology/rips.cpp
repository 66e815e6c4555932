#include "gsan/topology/rips.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "gsan/core/check.h"
#include "gsan/core/long_work.h"
#include "gsan/topology/budget.h"
#include "gsan/topology/clique_complex.h"

namespace gsan {
namespace {

constexpr const char* who = "rips_complex";
constexpr int axis_bits = 21;
constexpr double max_cells = 1 << (axis_bits - 1);  // per axis

void check_arguments(std::span<const double> points, int dimension, double length) {
  GSAN_CHECK(dimension >= 1, who, ": dimension must be at least 1, got ", dimension);
  GSAN_CHECK(points.size() % dimension == 0, who, ": ", points.size(),
             " coordinates are not a multiple of the dimension ", dimension);
  GSAN_CHECK(points.size() / dimension < static_cast<std::size_t>(std::numeric_limits<Index>::max()), who,
             ": at most 2^31 - 2 points, got ", points.size() / dimension);
  GSAN_CHECK(length >= 0, who, ": max_edge_length must be a number >= 0, got ", length);
  for (std::size_t i = 0; i < points.size(); ++i) {
    GSAN_CHECK(std::isfinite(points[i]), who, ": coordinates must be finite, got ", points[i], " in row ",
               i / dimension, ", column ", i % dimension);
  }
}

// The axis-parallel cells of side ≥ length, over the (at most three) widest axes. Points no
// further apart than `length` lie in the same or in neighbouring cells.
class Grid {
 public:
  Grid(std::span<const double> points, int dimension, double length) {
    std::vector<double> low(points.begin(), points.begin() + dimension), high = low;
    for (std::size_t i = 0; i < points.size(); ++i) {
      low[i % dimension] = std::min(low[i % dimension], points[i]);
      high[i % dimension] = std::max(high[i % dimension], points[i]);
    }
    const auto extent = [&](int axis) { return high[axis] / 2 - low[axis] / 2; };  // halves cannot overflow
    std::vector<int> axes(dimension);
    std::iota(axes.begin(), axes.end(), 0);
    std::ranges::stable_sort(axes, [&](int a, int b) { return extent(a) > extent(b); });
    axes.resize(std::min(dimension, 3));
    for (const int axis : axes) {
      // The factor keeps a pair at exactly `length` in neighbouring cells in spite of rounding.
      const double side = std::max(length / 2 * (1 + 0x1p-20), extent(axis) / max_cells);
      axes_.push_back({axis, low[axis] / 2, side > 0 ? side : 1});
    }
  }

  int axis_count() const { return static_cast<int>(axes_.size()); }

  // Cell numbers from 1, packed; a step along the last axis is a step of 1.
  std::uint64_t key(const double* point) const {
    std::uint64_t packed = 0;
    for (const Axis& axis : axes_) {
      packed = packed << axis_bits |
               (1 + static_cast<std::uint64_t>((point[axis.index] / 2 - axis.low) / axis.side));
    }
    return packed;
  }

 private:
  struct Axis {
    int index;
    double low, side;  // halved
  };
  std::vector<Axis> axes_;
};

// sqrt(Σ (a − b)²) ≤ length, scaled by a power of two so that no square over- or underflows.
class Near {
 public:
  Near(int dimension, double length) : dimension_(dimension), length_(length) {
    if (length > 0 && std::isfinite(length))
      scale_ = std::ldexp(1.0, -std::clamp(std::ilogb(length), -1000, 1000));
    scaled_ = length * scale_;
  }
  bool operator()(const double* a, const double* b) const {
    if (std::isinf(length_)) return true;
    double sum = 0;
    for (int j = 0; j < dimension_; ++j) {
      const double difference = (a[j] - b[j]) * scale_;
      sum += difference * difference;
    }
    return std::sqrt(sum) <= scaled_;
  }

 private:
  int dimension_;
  double length_, scale_ = 1, scaled_;
};

}  // namespace

Graph rips_graph(std::span<const double> points, int dimension, double max_edge_length, Limits limits) {
  check_arguments(points, dimension, max_edge_length);
  const auto n = static_cast<Index>(points.size() / dimension);
  check_simplices(limits, who, n, "(the points alone)");
  if (n == 0) return {};

  // The points cell by cell.
  const Grid grid(points, dimension, max_edge_length);
  struct Entry {
    std::uint64_t key;
    Vertex point;
    auto operator<=>(const Entry&) const = default;
  };
  std::vector<Entry> entries(n);
  for (Vertex i = 0; i < n; ++i) entries[i] = {grid.key(&points[static_cast<std::size_t>(i) * dimension]), i};
  std::sort(entries.begin(), entries.end());
  std::vector<double> sorted(points.size());
  for (Index e = 0; e < n; ++e) {
    std::copy_n(&points[static_cast<std::size_t>(entries[e].point) * dimension], dimension,
                &sorted[static_cast<std::size_t>(e) * dimension]);
  }

  // Neighbouring cells that are not before a cell: the next along the last axis, and runs of
  // three along it for each larger step of the other axes. Keys increase, so the start of
  // each run only moves forward.
  struct Run {
    std::int64_t low, high;  // keys relative to the cell
    Index start = 0;
  };
  std::vector<Run> runs{{0, 1}};
  const std::int64_t row = std::int64_t{1} << axis_bits, plane = row << axis_bits;
  if (grid.axis_count() >= 2) runs.push_back({row - 1, row + 1});
  if (grid.axis_count() >= 3) {
    for (const std::int64_t step : {-row, std::int64_t{0}, row})
      runs.push_back({plane + step - 1, plane + step + 1});
  }

  const Near near(dimension, max_edge_length);
  std::vector<Edge> edges;
  const auto add = [&](Index a, Index b) {
    if (edges.size() == edges.capacity()) {
      const auto found = static_cast<double>(edges.size());
      check_simplices(limits, who, n + found, "(points and edges) before all pairs are compared");
      check_memory(limits, who, 24.0 * n + 24 * found,
                   "the edges that were found before all pairs are compared");
    }
    edges.push_back({entries[a].point, entries[b].point});
  };
  const auto at = [&](Index e) { return &sorted[static_cast<std::size_t>(e) * dimension]; };
  LongWork work("distances of points", n);
  for (Index begin = 0, end = 0; begin < n; begin = end) {
    work.reach(begin);
    const std::uint64_t key = entries[begin].key;
    while (end < n && entries[end].key == key) ++end;
    for (Run& run : runs) {
      while (run.start < n && entries[run.start].key < key + run.low) ++run.start;
      for (Index a = begin; a < end; ++a) {
        for (Index b = std::max(run.start, a + 1); b < n && entries[b].key <= key + run.high; ++b) {
          if (near(at(a), at(b))) add(a, b);
        }
      }
    }
  }
  sorted = std::vector<double>();
  entries = std::vector<Entry>();
  return graph_from_edges(edges, n, limits, who);
}

SimplicialComplex rips_complex(std::span<const double> points, int dimension, double max_edge_length,
                               int max_order, Limits limits) {
  GSAN_CHECK(max_order >= 0, who, ": max_order must not be negative, got ", max_order);
  return clique_complex(rips_graph(points, dimension, max_edge_length, limits), max_order, limits);
}

}  // namespace gsan
