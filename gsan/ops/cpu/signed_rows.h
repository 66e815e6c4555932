#pragma once
// Signed sums of rows, the loop that every kernel with B or Bᵀ shares. For kernel sources alone
// (kernel_builds.h).
//
// A row of F features is cut into pieces of L lanes, L the largest power of two that is
// at most F and fits a register; when L does not divide F the last piece overlaps the one
// before (both compute the same bits there). So no F needs a mask or a scalar remainder.

#include "gsan/ops/cpu/incidence_kernel.h"
#include "gsan/ops/cpu/vectors.h"

namespace gsan::ops {
namespace {

// The entries of one row and their signs. Width 0 stands for one known only at run time.
template <class T, int W>
struct TableRow {
  const std::int32_t* entries;
  int width;
  T odd;  // sign of the odd columns
  std::int64_t count() const { return W ? W : width; }
  T sign(std::int64_t e) const { return e % 2 ? odd : T(1); }
};

template <class T>
struct ListRow {
  const std::int32_t* entries;
  const std::uint8_t* columns;
  std::int64_t size;
  const T* signs;  // of even and odd columns
  std::int64_t count() const { return size; }
  T sign(std::int64_t e) const { return signs[columns[e] & 1]; }
};

// Adds P neighbouring pieces of a row at once, so that their sums stay in registers.
template <class T, int L, int P, class Row>
inline void add_pieces(const Row& row, const T* x, std::int64_t stride,
                       typename VectorOf<T, L>::Type (&sum)[P]) {
  using V = typename VectorOf<T, L>::Type;
  for (std::int64_t e = 0; e < row.count(); ++e) {
    const T* from = x + row.entries[e] * stride;
    const T sign = row.sign(e);
    for (int p = 0; p < P; ++p) sum[p] += load<V>(from + p * L) * sign;
  }
}

// Calls f<pieces, stream>(first feature) for the pieces of a row: P of them exactly, or any number (P = 0).
template <int L, int P, bool stream, class F>
inline void for_pieces(std::int64_t features, const F& f) {
  if constexpr (P > 0) {
    f.template operator()<P, stream>(0);
  } else {
    std::int64_t at = 0;
    for (; at + 4 * L <= features; at += 4 * L) f.template operator()<4, stream>(at);
    if (at + 2 * L <= features) f.template operator()<2, stream>(at), at += 2 * L;
    if (at + L <= features) f.template operator()<1, stream>(at), at += L;
    if (at < features) f.template operator()<1, false>(features - L);
  }
}

// One feature: a row is shorter than a mispredicted branch at the end of its list, so up to this many entries
// are read whether the list has them or not; they belong to later rows and are checked as well.
constexpr std::int64_t max_slots = 8;

// Whether rows begin … end − 1 stay inside x and the tables.
template <class T>
bool in_range(const SignedRows<T>& a, std::int64_t begin, std::int64_t end) {
  std::int64_t first = begin * a.width, last = end * a.width;
  if (a.offsets) {
    first = a.offsets[begin], last = a.offsets[end];
    bool ordered = first >= 0 && last <= a.entry_count;
    for (std::int64_t i = begin; i < end; ++i) ordered &= a.offsets[i] <= a.offsets[i + 1];
    if (!ordered) return false;
    last = last + max_slots < a.entry_count ? last + max_slots : a.entry_count;
    std::uint8_t column = 0;
    for (std::int64_t e = first; e < last; ++e) column = column < a.columns[e] ? a.columns[e] : column;
    if (column >= a.width) return false;
  }
  std::int64_t largest = -1;
  for (std::int64_t e = first; e < last; ++e) {
    // A negative entry turns into one above every row that an int32 can name.
    const std::int64_t entry = static_cast<std::uint32_t>(a.entries[e]);
    largest = largest < entry ? entry : largest;
  }
  return largest <= INT32_MAX && largest < a.x_rows;
}

// Rows that are checked at a time: their table is still in the first cache when they run.
constexpr std::int64_t block_rows = 256;

}  // namespace
}  // namespace gsan::ops
