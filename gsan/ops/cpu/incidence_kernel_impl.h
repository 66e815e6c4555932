// Included by one source per instruction set, each compiled with its own flags; all of it
// is in an unnamed namespace and nothing of it is inline elsewhere, so that the linker
// never mixes the builds. GSAN_VECTOR_BYTES is the width of that build's registers.
//
// A row of F features is cut into pieces of L lanes, L the largest power of two that is
// at most F and fits a register; when L does not divide F the last piece overlaps the one
// before (both compute the same bits there). So no F needs a mask or a scalar remainder.

#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "gsan/ops/cpu/incidence_kernel.h"

namespace gsan::ops {
namespace {

template <class T, int L>
struct VectorOf {
  typedef T Type __attribute__((vector_size(L * sizeof(T))));
};
template <class T>
struct VectorOf<T, 1> {
  using Type = T;
};

template <class V, class T>
inline V load(const T* from) {
  V v;
  __builtin_memcpy(&v, from, sizeof(V));
  return v;
}

// With `stream` past the caches, where the machine can; `to` is aligned to sizeof(V) then.
template <bool stream, class V, class T>
inline void store(T* to, V v) {
#if defined(__AVX512F__)
  if constexpr (stream && sizeof(V) == 64)
    return _mm512_stream_si512(reinterpret_cast<__m512i*>(to), (__m512i)v);
#endif
#if defined(__AVX__)
  if constexpr (stream && sizeof(V) == 32)
    return _mm256_stream_si256(reinterpret_cast<__m256i*>(to), (__m256i)v);
#endif
#if defined(__SSE2__)
  if constexpr (stream && sizeof(V) == 16)
    return _mm_stream_si128(reinterpret_cast<__m128i*>(to), (__m128i)v);
#endif
  __builtin_memcpy(to, &v, sizeof(V));
}

inline void finish_streaming() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

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

// P neighbouring pieces of a row at once, so that their sums stay in registers.
template <class T, int L, int P, bool stream, class Row>
inline void sum_pieces(const Row& row, const T* x, std::int64_t features, T* y) {
  using V = typename VectorOf<T, L>::Type;
  V sum[P] = {};
  for (std::int64_t e = 0; e < row.count(); ++e) {
    const T* from = x + row.entries[e] * features;
    const T sign = row.sign(e);
    for (int p = 0; p < P; ++p) sum[p] += load<V>(from + p * L) * sign;
  }
  for (int p = 0; p < P; ++p) store<stream>(y + p * L, sum[p]);
}

// A whole row: P pieces exactly, or any number of them (P = 0).
template <class T, int L, int P, bool stream, class Row>
inline void sum_row(const Row& row, const T* x, std::int64_t features, T* y) {
  if constexpr (P > 0) {
    sum_pieces<T, L, P, stream>(row, x, P * L, y);
  } else {
    std::int64_t at = 0;
    for (; at + 4 * L <= features; at += 4 * L) sum_pieces<T, L, 4, stream>(row, x + at, features, y + at);
    if (at + 2 * L <= features) sum_pieces<T, L, 2, stream>(row, x + at, features, y + at), at += 2 * L;
    if (at + L <= features) sum_pieces<T, L, 1, stream>(row, x + at, features, y + at), at += L;
    if (at < features) sum_pieces<T, L, 1, false>(row, x + features - L, features, y + features - L);
  }
}

// Rows begin … end − 1, already checked. The arguments are copied: for all the compiler
// knows, a store to y might change the originals.
template <class T>
using Run = void (*)(const IncidenceArguments<T>&, std::int64_t begin, std::int64_t end);

template <class T, int L, int P, bool stream, int W>
void run_table(const IncidenceArguments<T>& arguments, std::int64_t begin, std::int64_t end) {
  const IncidenceArguments<T> a = arguments;
  const std::int64_t features = P ? P * L : a.features;
  const int width = W ? W : a.width;
  const T odd = a.absolute ? T(1) : T(-1);
  for (std::int64_t i = begin; i < end; ++i) {
    const TableRow<T, W> row{a.entries + i * width, width, odd};
    sum_row<T, L, P, stream>(row, a.x, features, a.y + i * features);
  }
}

template <class T, int L, int P, bool stream>
void run_lists(const IncidenceArguments<T>& arguments, std::int64_t begin, std::int64_t end) {
  const IncidenceArguments<T> a = arguments;
  const std::int64_t features = P ? P * L : a.features;
  const T signs[2] = {1, a.absolute ? T(1) : T(-1)};
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t first = a.offsets[i];
    const ListRow<T> row{a.entries + first, a.columns + first, a.offsets[i + 1] - first, signs};
    sum_row<T, L, P, stream>(row, a.x, features, a.y + i * features);
  }
}

// One feature: a row is shorter than a mispredicted branch at the end of its list. The first
// S entries are always read, those past the end of the list count as +0 (which changes no
// bit of a sum that began with +0); they belong to later rows and are checked as well.
constexpr std::int64_t max_slots = 8;

template <class T, int S>
void run_scalar_lists(const IncidenceArguments<T>& arguments, std::int64_t begin, std::int64_t end) {
  const IncidenceArguments<T> a = arguments;
  const T signs[2] = {1, a.absolute ? T(1) : T(-1)};
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t first = a.offsets[i], last = a.offsets[i + 1];
    std::int64_t e = first;
    T sum = 0;
    if (first + S <= a.entry_count) {
      for (; e < first + S; ++e) {
        const T term = a.x[a.entries[e]] * signs[a.columns[e] & 1];
        sum += e < last ? term : T(0);
      }
    }
    for (; e < last; ++e) sum += a.x[a.entries[e]] * signs[a.columns[e] & 1];
    a.y[i] = sum;
  }
}

template <class T, int L, int P, bool stream>
Run<T> choose_rows(const IncidenceArguments<T>& a) {
  if constexpr (L == 1) {
    if (a.offsets && a.entry_count <= 2 * a.rows) return run_scalar_lists<T, 2>;
    if (a.offsets && a.entry_count <= max_slots * a.rows) return run_scalar_lists<T, max_slots>;
  }
  if (a.offsets) return run_lists<T, L, P, stream>;
  switch (a.width) {
    case 2:
      return run_table<T, L, P, stream, 2>;
    case 3:
      return run_table<T, L, P, stream, 3>;
    case 4:
      return run_table<T, L, P, stream, 4>;
    default:
      return run_table<T, L, P, stream, 0>;
  }
}

template <class T, int L, int P>
Run<T> choose_store(const IncidenceArguments<T>& a) {
  if constexpr (L * sizeof(T) == GSAN_VECTOR_BYTES) {
    if (a.stream) return choose_rows<T, L, P, true>(a);
  }
  return choose_rows<T, L, P, false>(a);
}

template <class T, int L = GSAN_VECTOR_BYTES / sizeof(T)>
Run<T> choose_run(const IncidenceArguments<T>& a) {
  if constexpr (L > 1) {
    if (a.features < L) return choose_run<T, L / 2>(a);
  }
  if (a.features == L) return choose_store<T, L, 1>(a);
  if constexpr (L * sizeof(T) == GSAN_VECTOR_BYTES) {
    if (a.features == 2 * L) return choose_store<T, L, 2>(a);
    if (a.features == 4 * L) return choose_store<T, L, 4>(a);
  }
  return choose_store<T, L, 0>(a);
}

// Whether rows begin … end − 1 stay inside x and the tables.
template <class T>
bool in_range(const IncidenceArguments<T>& a, std::int64_t begin, std::int64_t end) {
  std::int64_t first = begin * a.width, last = end * a.width;
  if (a.offsets) {
    first = a.offsets[begin], last = a.offsets[end];
    bool ordered = first >= 0 && last <= a.entry_count;
    for (std::int64_t i = begin; i < end; ++i) ordered &= a.offsets[i] <= a.offsets[i + 1];
    if (!ordered) return false;
    last = last + max_slots < a.entry_count ? last + max_slots : a.entry_count;
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

template <class T>
bool incidence_rows(const IncidenceArguments<T>& a, std::int64_t begin, std::int64_t end) {
  const Run<T> run = choose_run<T>(a);
  bool fine = true;
  for (std::int64_t block = begin; fine && block < end; block += block_rows) {
    const std::int64_t stop = block + block_rows < end ? block + block_rows : end;
    fine = in_range(a, block, stop);
    if (fine) run(a, block, stop);
  }
  if (a.stream) finish_streaming();
  return fine;
}

}  // namespace
}  // namespace gsan::ops
