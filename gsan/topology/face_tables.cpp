#include "gsan/topology/detail/face_tables.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>

#include "gsan/core/check.h"
#include "gsan/topology/detail/gallop.h"

namespace gsan {
namespace {

constexpr int largest_order = 254;  // columns of a face table are stored in a byte

std::string to_text(const Vertex* row, int width) {
  std::string text = "(";
  for (int j = 0; j < width; ++j) text += (j ? " " : "") + std::to_string(row[j]);
  return text + ")";
}

[[noreturn]] void reject_row(std::span<const Vertex> table, int k, Index i, Index vertex_count) {
  const int width = k + 1;
  const Vertex* row = table.data() + static_cast<std::size_t>(i) * width;
  GSAN_CHECK(std::adjacent_find(row, row + width, std::greater_equal<>()) == row + width,
             "SimplicialComplex: the vertices of a simplex must increase, got ", to_text(row, width),
             " in row ", i, " of order ", k, "; use ComplexBuilder for unsorted lists");
  GSAN_CHECK(row[0] >= 0 && row[k] < vertex_count, "SimplicialComplex: vertices must lie in 0 ... ",
             vertex_count - 1, ", got ", to_text(row, width), " in row ", i, " of order ", k);
  fail(Fault::argument, "SimplicialComplex: rows of order ", k,
       " must be in strict lexicographic order, got ", to_text(row - width, width), " before ",
       to_text(row, width), "; use ComplexBuilder for unsorted or repeated simplices");
}

[[noreturn]] void reject_missing(const Vertex* row, int k, int j) {
  fail(Fault::argument, "SimplicialComplex: not closed under faces: ", to_text(row, k + 1),
       " is listed but its face without vertex ", row[j], " is not; use ComplexBuilder, which adds faces");
}

Index checked_count(const std::vector<Vertex>& table, int k) {
  const auto width = static_cast<std::size_t>(k) + 1;
  GSAN_CHECK(table.size() % width == 0, "SimplicialComplex: the table of order ", k,
             " must hold a multiple of ", width, " vertices, got ", table.size());
  GSAN_CHECK(table.size() / width < static_cast<std::size_t>(std::numeric_limits<Index>::max()),
             "SimplicialComplex: at most 2^31 - 2 simplices of one order, got ", table.size() / width,
             " of order ", k);
  return static_cast<Index>(table.size() / width);
}

// One order of the complex while it is checked. The children of a row are the rows one
// order up that extend it by a larger vertex; in lexicographic order they stand together.
struct Order {
  std::span<const Vertex> vertices;  // [N_k, k + 1]
  std::span<const Index> faces;      // [N_k, k + 1]
  std::span<const Index> first;      // [N_{k−1} + 1], start of the children of each row below
  Index count;                       // N_k
};

// Checks the rows of order k (`Fixed`, or `order` where Fixed is 0); returns the start of the
// children of each row below.
template <int Fixed>
std::vector<Index> checked_children(int order, std::span<const Vertex> table, Index rows, const Order& below,
                                    Index vertex_count) {
  const int k = Fixed > 0 ? Fixed : order, width = k + 1;
  std::vector<Index> first(static_cast<std::size_t>(below.count) + 1);
  const Vertex* row = table.data();
  const Vertex* prefix = below.vertices.data();
  Index p = 0;
  for (Index i = 0; i < rows; ++i, row += width) {
    bool valid = row[0] >= 0 && row[k] < vertex_count;
    for (int j = 0; j < k; ++j) valid &= row[j] < row[j + 1];
    int same = 0;  // vertices shared with the row before
    if (i > 0) {
      while (same < k && row[same - width] == row[same]) ++same;
      valid &= row[same - width] < row[same];
    }
    if (!valid) [[unlikely]]
      reject_row(table, k, i, vertex_count);
    if (i > 0 && same == k) continue;
    for (; p < below.count && !std::equal(prefix, prefix + k, row); prefix += k) first[++p] = i;
    if (p == below.count) [[unlikely]]
      reject_missing(row, k, k);
  }
  std::fill(first.begin() + p + (rows > 0), first.end(), rows);
  return first;
}

// Face j < k of (p, w), where row p is the prefix, is the child by w of face j of p. Both
// lists of last vertices increase: one walk along the children of face j of p finds all.
template <int Fixed>
std::vector<Index> find_faces(int order, std::span<const Vertex> table, std::span<const Index> first,
                              const Order& below) {
  const int k = Fixed > 0 ? Fixed : order;
  const auto width = static_cast<std::size_t>(k) + 1;
  const auto last = [&](Index i) { return below.vertices[static_cast<std::size_t>(i) * k + k - 1]; };
  std::vector<Index> faces(table.size());
  for (Index p = 0; p < below.count; ++p) {
    const Index* faces_of_p = below.faces.data() + static_cast<std::size_t>(p) * k;
    if (p + 16 < below.count) {  // faces lie anywhere: fetch where their children start, then the children
      for (int j = 0; j < k; ++j) {
        __builtin_prefetch(below.first.data() + faces_of_p[16 * k + j]);
        // One past the last row for a face without children: an address, never read.
        __builtin_prefetch(below.vertices.data() +
                           static_cast<std::size_t>(below.first[faces_of_p[8 * k + j]]) * k);
      }
    }
    const Index from = first[p], to = first[p + 1];
    for (Index i = from; i < to; ++i) faces[i * width + k] = p;
    for (int j = 0; j < k && from < to; ++j) {
      Index at = below.first[faces_of_p[j]];
      const Index end = below.first[faces_of_p[j] + 1];
      for (Index i = from; i < to; ++i) {
        const Vertex* row = table.data() + i * width;
        at = gallop(last, at, end, row[k]);
        if (at == end || last(at) != row[k]) [[unlikely]]
          reject_missing(row, k, j);
        faces[i * width + j] = at;
      }
    }
  }
  return faces;
}

}  // namespace

std::vector<std::vector<Index>> checked_face_tables(std::span<const std::vector<Vertex>> tables) {
  GSAN_CHECK(tables.size() <= largest_order + 1u, "SimplicialComplex: order at most ", largest_order,
             ", got ", tables.size() - 1);
  std::vector<std::vector<Index>> faces(tables.size());
  std::vector<Index> first;
  Order below{};
  const auto vertex_count = static_cast<Index>(tables.empty() ? 0 : tables[0].size());
  for (int k = 0; k < static_cast<int>(tables.size()); ++k) {
    const std::vector<Vertex>& table = tables[k];
    const Index rows = checked_count(table, k);
    if (k == 0) {
      for (Index i = 0; i < rows; ++i) {
        GSAN_CHECK(table[i] == i, "SimplicialComplex: the vertices must be 0 ... ", rows - 1,
                   " in order, got ", table[i], " in row ", i, " of order 0");
      }
    } else {
      const auto with = [&]<int Fixed>(std::integral_constant<int, Fixed>) {
        std::vector<Index> own = checked_children<Fixed>(k, table, rows, below, vertex_count);
        if (k > 1) faces[k] = find_faces<Fixed>(k, table, own, below);
        first = std::move(own);
      };
      if (k == 1)
        with(std::integral_constant<int, 1>());
      else if (k == 2)
        with(std::integral_constant<int, 2>());
      else if (k == 3)
        with(std::integral_constant<int, 3>());
      else
        with(std::integral_constant<int, 0>());
    }
    if (k == 1) {  // face 0 of (u v) is v, face 1 is u
      faces[1].resize(table.size());
      for (std::size_t i = 0; i < table.size(); i += 2) {
        faces[1][i] = table[i + 1];
        faces[1][i + 1] = table[i];
      }
    }
    below = {table, faces[k], first, rows};
  }
  return faces;
}

}  // namespace gsan
