#include "gsan/topology/reorder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "gsan/core/check.h"

namespace gsan {
namespace {

// Position of a cell of the grid [0, 2^bits)^D along the Hilbert curve (Skilling,
// "Programming the Hilbert curve", AIP Conf. Proc. 707, 2004).
template <int D>
std::uint64_t hilbert_position(std::array<std::uint32_t, D> x, int bits) {
  const std::uint32_t top = std::uint32_t{1} << (bits - 1);
  for (std::uint32_t q = top; q > 1; q >>= 1) {  // undo the rotations and reflections, from coarse to fine
    const std::uint32_t lower = q - 1;
    for (int i = 0; i < D; ++i) {
      if (x[i] & q) {
        x[0] ^= lower;
      } else {
        const std::uint32_t swapped = (x[0] ^ x[i]) & lower;
        x[0] ^= swapped;
        x[i] ^= swapped;
      }
    }
  }
  for (int i = 1; i < D; ++i) x[i] ^= x[i - 1];  // Gray code
  std::uint32_t flips = 0;
  for (std::uint32_t q = top; q > 1; q >>= 1) {
    if (x[D - 1] & q) flips ^= q - 1;
  }
  std::uint64_t position = 0;
  for (int bit = bits - 1; bit >= 0; --bit) {
    for (int i = 0; i < D; ++i) position = position << 1 | (((x[i] ^ flips) >> bit) & 1);
  }
  return position;
}

template <int D>
std::vector<Vertex> along_hilbert_curve(std::span<const double> points) {
  constexpr int bits = D == 2 ? 31 : 21;
  const auto count = static_cast<Vertex>(points.size() / D);
  std::array<double, D> low{}, high{};
  for (Vertex v = 0; v < count; ++v) {
    for (int i = 0; i < D; ++i) {
      const double x = points[static_cast<std::size_t>(v) * D + i];
      GSAN_CHECK(std::isfinite(x), "hilbert_order: coordinates must be finite, got ", x, " in row ", v,
                 ", column ", i);
      low[i] = v == 0 ? x : std::min(low[i], x);
      high[i] = v == 0 ? x : std::max(high[i], x);
    }
  }
  // One scale for all axes, so that a cell is a cube; halves, so that no difference overflows.
  double extent = 0;
  for (int i = 0; i < D; ++i) extent = std::max(extent, high[i] / 2 - low[i] / 2);
  const double cells = static_cast<double>((std::uint32_t{1} << bits) - 1);
  std::vector<std::pair<std::uint64_t, Vertex>> sorted(count);
  for (Vertex v = 0; v < count; ++v) {
    std::array<std::uint32_t, D> cell{};
    for (int i = 0; i < D && extent > 0; ++i) {
      const double x = points[static_cast<std::size_t>(v) * D + i];
      cell[i] = static_cast<std::uint32_t>(std::clamp((x / 2 - low[i] / 2) / extent, 0.0, 1.0) * cells);
    }
    sorted[v] = {hilbert_position<D>(cell, bits), v};
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<Vertex> new_name(count);
  for (Vertex position = 0; position < count; ++position) new_name[sorted[position].second] = position;
  return new_name;
}

class CuthillMcKee {
 public:
  CuthillMcKee(const SimplicialComplex& complex, Vertex first, Vertex last)
      : offsets_(complex.coface_offsets(0)),
        edges_of_(complex.coface_table(0)),
        ends_(complex.vertex_table(1)),
        first_(first) {
    mark_.assign(static_cast<std::size_t>(last - first), 0);
    std::vector<Vertex> by_degree(mark_.size());
    std::iota(by_degree.begin(), by_degree.end(), first);
    std::stable_sort(by_degree.begin(), by_degree.end(),
                     [&](Vertex a, Vertex b) { return degree(a) < degree(b); });
    for (const Vertex v : by_degree) {
      if (mark(v) == placed) continue;
      const Vertex start = peripheral(v);
      level_order(start, placed);
      order_.insert(order_.end(), visited_.begin(), visited_.end());
    }
  }

  std::vector<Vertex> reversed_names() const {
    std::vector<Vertex> new_name(order_.size());
    const auto last = first_ + static_cast<Vertex>(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i)
      new_name[order_[i] - first_] = last - 1 - static_cast<Vertex>(i);
    return new_name;
  }

 private:
  static constexpr std::uint32_t placed = ~std::uint32_t{0};

  Offset degree(Vertex v) const { return offsets_[v + 1] - offsets_[v]; }
  std::uint32_t& mark(Vertex v) { return mark_[static_cast<std::size_t>(v - first_)]; }

  // Breadth first, neighbours by increasing degree; fills visited_, returns the number of levels.
  int level_order(Vertex start, std::uint32_t sweep) {
    visited_.assign(1, start);
    mark(start) = sweep;
    int levels = 0;
    std::size_t next = 0;
    while (next < visited_.size()) {
      last_level_ = next;
      ++levels;
      for (const std::size_t end = visited_.size(); next < end; ++next) {
        const Vertex v = visited_[next];
        const auto first = static_cast<std::ptrdiff_t>(visited_.size());
        for (Offset at = offsets_[v]; at < offsets_[v + 1]; ++at) {
          const std::size_t edge = static_cast<std::size_t>(edges_of_[at]) * 2;
          const Vertex other = ends_[edge] == v ? ends_[edge + 1] : ends_[edge];
          if (mark(other) == sweep) continue;
          mark(other) = sweep;
          visited_.push_back(other);
        }
        std::stable_sort(visited_.begin() + first, visited_.end(),
                         [&](Vertex a, Vertex b) { return degree(a) < degree(b); });
      }
    }
    return levels;
  }

  // George and Liu: restart from a vertex of least degree in the last level while that adds levels.
  Vertex peripheral(Vertex start) {
    int levels = level_order(start, ++sweep_);
    for (;;) {
      const Vertex candidate =
          *std::min_element(visited_.begin() + static_cast<std::ptrdiff_t>(last_level_), visited_.end(),
                            [&](Vertex a, Vertex b) { return degree(a) < degree(b); });
      const int from_candidate = level_order(candidate, ++sweep_);
      if (from_candidate <= levels) return start;
      start = candidate;
      levels = from_candidate;
    }
  }

  std::span<const Offset> offsets_;
  std::span<const Index> edges_of_;
  std::span<const Vertex> ends_;
  Vertex first_;
  std::vector<std::uint32_t> mark_;  // the last sweep that met a vertex, from first_ on
  std::uint32_t sweep_ = 0;
  std::vector<Vertex> visited_, order_;
  std::size_t last_level_ = 0;
};

}  // namespace

std::vector<Vertex> hilbert_order(std::span<const double> points, int dimension) {
  GSAN_CHECK(dimension == 2 || dimension == 3, "hilbert_order: points must have 2 or 3 coordinates, got ",
             dimension);
  GSAN_CHECK(points.size() % dimension == 0, "hilbert_order: a table of points with ", dimension,
             " columns cannot hold ", points.size(), " numbers");
  return dimension == 2 ? along_hilbert_curve<2>(points) : along_hilbert_curve<3>(points);
}

std::vector<Vertex> reverse_cuthill_mckee(const SimplicialComplex& complex) {
  return reverse_cuthill_mckee(complex, 0, complex.count(0));
}

std::vector<Vertex> reverse_cuthill_mckee(const SimplicialComplex& complex, Vertex first, Vertex last) {
  GSAN_CHECK(0 <= first && first <= last && last <= complex.count(0),
             "reverse_cuthill_mckee: vertices first ... last - 1 must lie in 0 ... ", complex.count(0) - 1,
             ", got first = ", first, ", last = ", last);
  return CuthillMcKee(complex, first, last).reversed_names();
}

}  // namespace gsan
