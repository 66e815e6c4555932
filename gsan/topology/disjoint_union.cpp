#include "gsan/topology/disjoint_union.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "gsan/core/check.h"
#include "gsan/topology/detail/trusted_tables.h"

namespace gsan {
namespace {

// Appends table + shift to `to`.
template <class Number>
void append_shifted(std::vector<Number>& to, std::span<const Number> table, Number shift) {
  const std::size_t start = to.size();
  to.resize(start + table.size());
  std::transform(table.begin(), table.end(), to.begin() + static_cast<std::ptrdiff_t>(start),
                 [shift](Number i) { return i + shift; });
}

// The coface lists of order k, whose parts begin at offsets[k].
CofaceLists joined_cofaces(std::span<const SimplicialComplex> parts,
                           const std::vector<std::vector<Index>>& offsets, int k) {
  const bool has_cofaces = k + 1 < static_cast<int>(offsets.size());
  const std::size_t entries = has_cofaces ? static_cast<std::size_t>(offsets[k + 1].back()) * (k + 2) : 0;
  CofaceLists lists;
  lists.offsets.reserve(static_cast<std::size_t>(offsets[k].back()) + 1);
  lists.cofaces.reserve(entries);
  lists.columns.reserve(entries);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (parts[p].count(k) == 0) continue;
    const std::span<const Offset> starts = parts[p].coface_offsets(k);
    const std::span<const std::uint8_t> columns = parts[p].coface_columns(k);
    append_shifted(lists.offsets, starts.first(starts.size() - 1), static_cast<Offset>(lists.cofaces.size()));
    append_shifted(lists.cofaces, parts[p].coface_table(k), has_cofaces ? offsets[k + 1][p] : 0);
    lists.columns.insert(lists.columns.end(), columns.begin(), columns.end());
  }
  lists.offsets.push_back(static_cast<Offset>(lists.cofaces.size()));
  return lists;
}

}  // namespace

DisjointUnion disjoint_union(std::span<const SimplicialComplex> parts, bool with_cofaces) {
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
    std::vector<Index> faces;
    if (k > 0) faces.reserve(static_cast<std::size_t>(total) * (k + 1));
    for (std::size_t p = 0; p < parts.size() && k > 0; ++p)
      append_shifted(faces, parts[p].face_table(k), result.offsets[k - 1][p]);
    tables.faces.push_back(std::move(faces));
  }
  if (order >= 0) {  // the vertices of higher orders follow from the faces
    std::vector<Vertex>& vertices = tables.vertices.emplace_back(result.offsets[0].back());
    std::iota(vertices.begin(), vertices.end(), 0);
  }
  for (int k = 0; k <= order && with_cofaces; ++k)
    tables.cofaces.push_back(joined_cofaces(parts, result.offsets, k));
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
