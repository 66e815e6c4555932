#include "gsan/topology/subcomplex.h"

#include <algorithm>
#include <numeric>

#include "gsan/core/check.h"
#include "gsan/topology/detail/trusted_tables.h"

namespace gsan {
namespace {

void sort_unique(std::vector<Index>& rows) {
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
}

// The complex on increasing rows that are closed under faces. Renumbering keeps the order
// of vertices, hence of rows; a face is looked up among the kept rows of the order below.
MappedComplex extract(const SimplicialComplex& complex, SimplexRows rows) {
  while (!rows.empty() && rows.back().empty()) rows.pop_back();
  MappedComplex result;
  TrustedTables tables;
  for (int k = 0; k < static_cast<int>(rows.size()); ++k) {
    std::vector<Vertex>& vertices = tables.vertices.emplace_back();
    std::vector<Index>& faces = tables.faces.emplace_back();
    if (k < 2) vertices.reserve(rows[k].size() * (k + 1));
    if (k > 0) faces.reserve(rows[k].size() * (k + 1));
    const auto position = [&](int order, Index row) {
      return static_cast<Index>(std::lower_bound(rows[order].begin(), rows[order].end(), row) -
                                rows[order].begin());
    };
    for (const Index row : rows[k]) {
      if (k < 2) {  // of higher orders they follow from the faces
        for (const Vertex v : complex.vertices(k, row)) vertices.push_back(position(0, v));
      }
      if (k > 0) {
        for (const Index face : complex.faces(k, row)) faces.push_back(position(k - 1, face));
      }
    }
    result.sign.emplace_back(rows[k].size(), std::int8_t{1});
  }
  result.complex = std::move(tables).freeze();
  result.source = std::move(rows);
  return result;
}

}  // namespace

SimplexRows closure(const SimplicialComplex& complex, const SimplexRows& chosen) {
  SimplexRows rows = chosen;
  for (int k = static_cast<int>(rows.size()) - 1; k >= 0; --k) {
    sort_unique(rows[k]);
    GSAN_CHECK(rows[k].empty() || (rows[k].front() >= 0 && rows[k].back() < complex.count(k)),
               "closure: order ", k, " has ", complex.count(k), " simplices, got row ",
               rows[k].front() < 0 ? rows[k].front() : rows[k].back());
    if (k == 0) break;
    for (const Index row : rows[k]) {
      const std::span<const Index> faces = complex.faces(k, row);
      rows[k - 1].insert(rows[k - 1].end(), faces.begin(), faces.end());
    }
  }
  return rows;
}

MappedComplex subcomplex(const SimplicialComplex& complex, const SimplexRows& chosen) {
  return extract(complex, closure(complex, chosen));
}

MappedComplex induced_subcomplex(const SimplicialComplex& complex, std::span<const Vertex> kept) {
  std::vector<std::uint8_t> keep(complex.count(0), 0);  // of the order at hand
  for (const Vertex v : kept) {
    GSAN_CHECK(v >= 0 && v < complex.count(0), "induced_subcomplex: vertices must lie in 0 ... ",
               complex.count(0) - 1, ", got ", v);
    keep[v] = 1;
  }
  SimplexRows rows(complex.order() + 1);
  for (int k = 0; k <= complex.order(); ++k) {
    if (k > 0) {  // a simplex is kept with all its faces
      std::vector<std::uint8_t> keep_below(complex.count(k));
      keep.swap(keep_below);
      for (Index i = 0; i < complex.count(k); ++i) {
        const std::span<const Index> faces = complex.faces(k, i);
        keep[i] = std::all_of(faces.begin(), faces.end(), [&](Index face) { return keep_below[face] != 0; });
      }
    }
    for (Index i = 0; i < complex.count(k); ++i) {
      if (keep[i]) rows[k].push_back(i);
    }
  }
  return extract(complex, std::move(rows));
}

MappedComplex skeleton(const SimplicialComplex& complex, int k) {
  GSAN_CHECK(k >= -1, "skeleton: the order must be at least -1, got ", k);
  MappedComplex result;
  TrustedTables tables;
  for (int order = 0; order <= std::min(k, complex.order()); ++order) {
    const std::span<const Vertex> vertices =
        order < 2 ? complex.vertex_table(order) : std::span<const Vertex>();
    const std::span<const Index> faces = complex.face_table(order);
    tables.vertices.emplace_back(vertices.begin(), vertices.end());
    tables.faces.emplace_back(faces.begin(), faces.end());
    std::vector<Index>& source = result.source.emplace_back(complex.count(order));
    std::iota(source.begin(), source.end(), 0);
    result.sign.emplace_back(complex.count(order), std::int8_t{1});
  }
  result.complex = std::move(tables).freeze();
  return result;
}

}  // namespace gsan
