#include "gsan/topology/relabel.h"

#include <numeric>
#include <utility>

#include "gsan/core/check.h"
#include "gsan/topology/detail/trusted_tables.h"

namespace gsan {
namespace {

// Stable: the rows in `order`, by increasing key[row] < bound.
std::vector<Index> sorted_by_key(std::span<const Index> order, std::span<const Index> key, Index bound) {
  std::vector<Index> start(static_cast<std::size_t>(bound) + 1, 0);
  for (const Index k : key) ++start[k + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<Index> sorted(order.size());
  for (const Index row : order) sorted[start[key[row]]++] = row;
  return sorted;
}

std::vector<Index> iota(Index count) {
  std::vector<Index> rows(count);
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

// Old rows of order k ≥ 1 in their new order. Lexicographic order of (prefix, last vertex)
// is the order of the new row of the prefix, a face, and then of the last vertex: two
// counting sorts, whatever k is.
std::vector<Index> new_order(const SimplicialComplex& complex, int k, std::span<const Vertex> new_name,
                             std::span<const Index> new_row_below) {
  const Index count = complex.count(k);
  std::vector<Index> last(count), prefix(count);
  for (Index i = 0; i < count; ++i) {
    const std::span<const Vertex> vertices = complex.vertices(k, i);
    int largest = 0;
    for (int j = 1; j <= k; ++j) {
      if (new_name[vertices[j]] > new_name[vertices[largest]]) largest = j;
    }
    last[i] = new_name[vertices[largest]];
    prefix[i] = new_row_below[complex.faces(k, i)[largest]];
  }
  const std::vector<Index> by_last = sorted_by_key(iota(count), last, complex.count(0));
  return sorted_by_key(by_last, prefix, complex.count(k - 1));
}

}  // namespace

std::vector<Vertex> inverse_permutation(std::span<const Vertex> new_name) {
  const auto count = static_cast<Vertex>(new_name.size());
  std::vector<Vertex> inverse(new_name.size(), -1);
  for (Vertex v = 0; v < count; ++v) {
    const Vertex name = new_name[v];
    GSAN_CHECK(name >= 0 && name < count, "relabel: new names must be a permutation of 0 ... ", count - 1,
               ", got ", name, " for vertex ", v);
    GSAN_CHECK(inverse[name] < 0, "relabel: new names must be a permutation of 0 ... ", count - 1, ", got ",
               name, " for both vertex ", inverse[name], " and vertex ", v);
    inverse[name] = v;
  }
  return inverse;
}

MappedComplex relabel(const SimplicialComplex& complex, std::span<const Vertex> new_name) {
  GSAN_CHECK(new_name.size() == static_cast<std::size_t>(complex.count(0)),
             "relabel: one new name for each of the ", complex.count(0), " vertices, got ", new_name.size());
  std::vector<Index> source = inverse_permutation(new_name);
  MappedComplex result;
  TrustedTables tables;
  std::vector<Index> new_row;  // of the order below
  for (int k = 0; k <= complex.order(); ++k) {
    const Index count = complex.count(k);
    if (k > 0) source = new_order(complex, k, new_name, new_row);
    std::vector<Vertex> vertices;  // of orders ≥ 2 they follow from the faces
    std::vector<Index> faces;
    if (k < 2) vertices.reserve(static_cast<std::size_t>(count) * (k + 1));
    if (k > 0) faces.reserve(static_cast<std::size_t>(count) * (k + 1));
    std::vector<std::int8_t> sign(count);
    std::vector<Vertex> row(k + 1);
    std::vector<int> from(k + 1);  // column of the old row that column j of the new one came from
    for (Index i = 0; i < count; ++i) {
      const std::span<const Vertex> old = complex.vertices(k, source[i]);
      int swaps = 0;
      for (int j = 0; j <= k; ++j) {  // insertion sort
        const Vertex name = new_name[old[j]];
        int at = j;
        for (; at > 0 && row[at - 1] > name; --at, ++swaps) {
          row[at] = row[at - 1];
          from[at] = from[at - 1];
        }
        row[at] = name;
        from[at] = j;
      }
      sign[i] = static_cast<std::int8_t>(swaps % 2 == 0 ? 1 : -1);
      if (k < 2) vertices.insert(vertices.end(), row.begin(), row.end());
      for (int j = 0; k > 0 && j <= k; ++j) faces.push_back(new_row[complex.faces(k, source[i])[from[j]]]);
    }
    new_row.resize(count);
    for (Index i = 0; i < count; ++i) new_row[source[i]] = i;
    tables.vertices.push_back(std::move(vertices));
    tables.faces.push_back(std::move(faces));
    result.source.push_back(std::move(source));
    result.sign.push_back(std::move(sign));
  }
  result.complex = std::move(tables).freeze();
  return result;
}

}  // namespace gsan
