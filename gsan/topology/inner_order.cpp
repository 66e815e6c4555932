#include "gsan/topology/inner_order.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>

#include "gsan/core/check.h"
#include "gsan/topology/bisection_order.h"

namespace gsan {
namespace {

// The edges whose smaller vertex is one of first … last − 1: rows are in lexicographic order.
struct EdgeRange {
  std::span<const Vertex> ends;  // two of each

  EdgeRange(const SimplicialComplex& complex, Vertex first, Vertex last) {
    const std::span<const Vertex> all = complex.vertex_table(1);
    const auto begin_of = [&](Vertex v) {
      std::size_t low = 0, high = all.size() / 2;
      while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (all[2 * middle] < v)
          low = middle + 1;
        else
          high = middle;
      }
      return 2 * low;
    };
    const std::size_t from = begin_of(first);
    ends = all.subspan(from, begin_of(last) - from);
  }
  std::int64_t count() const { return static_cast<std::int64_t>(ends.size() / 2); }
};

// Whether the names are worth a part of this complex.
bool pays(const SimplicialComplex& complex, Vertex first, Vertex last, std::span<const Vertex> names) {
  const std::int64_t gain =
      arrangement_bits(complex, first, last) - arrangement_bits(complex, first, last, names);
  return gain > 0 && gain >= least_reordering_gain * EdgeRange(complex, first, last).count();
}

}  // namespace

std::int64_t arrangement_bits(const SimplicialComplex& complex, Vertex first, Vertex last,
                              std::span<const Vertex> new_name) {
  const auto name = [&](Vertex v) { return new_name.empty() ? v : new_name[v - first]; };
  const EdgeRange edges(complex, first, last);
  std::int64_t bits = 0;
  for (std::size_t e = 0; e < edges.ends.size(); e += 2)
    bits +=
        std::bit_width(static_cast<std::uint32_t>(std::abs(name(edges.ends[e]) - name(edges.ends[e + 1]))));
  return bits;
}

std::vector<Vertex> inner_names(const SimplicialComplex& complex, VertexOrder order,
                                std::span<const std::vector<Index>> parts) {
  if (order == VertexOrder::given || complex.order() < 1) return {};
  GSAN_CHECK(static_cast<int>(parts.size()) == complex.order() + 1,
             "inner_names: a batch needs the offsets of its parts for each of the orders 0 ... ",
             complex.order(), ", got ", parts.size(), " lists");
  std::vector<Vertex> all;
  for (std::size_t p = 0; p + 1 < parts[0].size(); ++p) {
    const bool is_large = std::any_of(parts.begin(), parts.end(), [&](const std::vector<Index>& offsets) {
      return offsets[p + 1] - offsets[p] >= least_reordered_rows;
    });
    const bool has_edges = parts[1][p + 1] > parts[1][p];
    if (!has_edges || (order == VertexOrder::automatic && !is_large)) continue;
    const Vertex first = parts[0][p], last = parts[0][p + 1];
    const std::vector<Vertex> names = order == VertexOrder::cuthill_mckee
                                          ? reverse_cuthill_mckee(complex, first, last)
                                          : bisection_order(complex, first, last);
    if (order == VertexOrder::automatic && !pays(complex, first, last, names)) continue;
    if (all.empty()) {  // the parts before keep theirs
      all.resize(static_cast<std::size_t>(complex.count(0)));
      std::iota(all.begin(), all.end(), 0);
    }
    std::copy(names.begin(), names.end(), all.begin() + first);
  }
  return all;
}

}  // namespace gsan
