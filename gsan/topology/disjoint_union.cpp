#include "gsan/topology/disjoint_union.h"

#include <algorithm>
#include <limits>

#include "gsan/core/check.h"
#include "gsan/topology/trusted_tables.h"

namespace gsan {
namespace {

// Appends table + shift to `to`.
void append_shifted(std::vector<Index>& to, std::span<const Index> table, Index shift) {
  const std::size_t start = to.size();
  to.resize(start + table.size());
  std::transform(table.begin(), table.end(), to.begin() + static_cast<std::ptrdiff_t>(start),
                 [shift](Index i) { return i + shift; });
}

}  // namespace

DisjointUnion disjoint_union(std::span<const SimplicialComplex> parts) {
  DisjointUnion result;
  result.part_count = static_cast<Index>(parts.size());
  int order = -1;
  for (const SimplicialComplex& part : parts) order = std::max(order, part.order());
  TrustedTables tables;
  for (int k = 0; k <= order; ++k) {
    std::vector<Index> offsets{0};
    std::int64_t total = 0;
    for (const SimplicialComplex& part : parts) {
      total += part.count(k);
      GSAN_CHECK(total < std::numeric_limits<Index>::max(),
                 "disjoint_union: at most 2^31 - 2 simplices of one order, got ", total, " of order ", k,
                 " after ", offsets.size(), " of ", parts.size(), " parts");
      offsets.push_back(static_cast<Index>(total));
    }
    result.offsets.push_back(std::move(offsets));
    std::vector<Vertex> vertices;  // of orders ≥ 2 they follow from the faces
    std::vector<Index> faces;
    if (k < 2) vertices.reserve(static_cast<std::size_t>(total) * (k + 1));
    if (k > 0) faces.reserve(static_cast<std::size_t>(total) * (k + 1));
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (k < 2) append_shifted(vertices, parts[p].vertex_table(k), result.offsets[0][p]);
      if (k > 0) append_shifted(faces, parts[p].face_table(k), result.offsets[k - 1][p]);
    }
    tables.vertices.push_back(std::move(vertices));
    tables.faces.push_back(std::move(faces));
  }
  result.complex = std::move(tables).freeze();
  return result;
}

Index DisjointUnion::part_of(int k, Index i) const {
  GSAN_CHECK(i >= 0 && i < complex.count(k), "DisjointUnion::part_of: order ", k, " has ", complex.count(k),
             " rows, got row ", i);
  return static_cast<Index>(std::upper_bound(offsets[k].begin(), offsets[k].end(), i) - offsets[k].begin()) -
         1;
}

std::vector<Index> DisjointUnion::parts_of_rows(int k) const {
  std::vector<Index> parts;
  parts.reserve(complex.count(k));
  for (Index p = 0; p < part_count && complex.count(k) > 0; ++p) {
    parts.insert(parts.end(), offsets[k][p + 1] - offsets[k][p], p);
  }
  return parts;
}

SimplicialComplex DisjointUnion::part(Index p) const {
  GSAN_CHECK(p >= 0 && p < part_count, "DisjointUnion::part: there are ", part_count, " parts, got part ", p);
  TrustedTables tables;
  for (int k = 0; k <= complex.order() && offsets[k][p] < offsets[k][p + 1]; ++k) {
    const std::size_t first = static_cast<std::size_t>(offsets[k][p]) * (k + 1);
    const std::size_t size = static_cast<std::size_t>(offsets[k][p + 1] - offsets[k][p]) * (k + 1);
    std::vector<Vertex>& vertices = tables.vertices.emplace_back();
    std::vector<Index>& faces = tables.faces.emplace_back();
    if (k < 2) append_shifted(vertices, complex.vertex_table(k).subspan(first, size), -offsets[0][p]);
    if (k > 0) append_shifted(faces, complex.face_table(k).subspan(first, size), -offsets[k - 1][p]);
  }
  return std::move(tables).freeze();
}

}  // namespace gsan
