// The two incidence products (incidence_kernel.h).

#include "gsan/ops/cpu/signed_rows.h"

namespace gsan::ops {
namespace {

// A whole row: P pieces exactly, or any number of them (P = 0).
template <class T, int L, int P, bool stream, class Row>
inline void sum_row(const Row& row, const T* x, std::int64_t stride, std::int64_t features, T* y) {
  for_pieces<L, P, stream>(features, [&]<int Q, bool past_caches>(std::int64_t at) {
    typename VectorOf<T, L>::Type sum[Q] = {};
    add_pieces<T, L, Q>(row, x + at, stride, sum);
    for (int p = 0; p < Q; ++p) store<past_caches>(y + at + p * L, sum[p]);
  });
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
    sum_row<T, L, P, stream>(row, a.x, a.x_stride, features, a.y + i * features);
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
    sum_row<T, L, P, stream>(row, a.x, a.x_stride, features, a.y + i * features);
  }
}

// One feature: the first S entries are always read, those past the end of the list count as +0 (which changes
// no bit of a sum that began with +0).
template <class T, int S>
void run_scalar_lists(const IncidenceArguments<T>& arguments, std::int64_t begin, std::int64_t end) {
  const IncidenceArguments<T> a = arguments;
  const T signs[2] = {1, a.absolute ? T(1) : T(-1)};
  const auto term = [&](std::int64_t e) { return a.x[a.entries[e] * a.x_stride] * signs[a.columns[e] & 1]; };
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t first = a.offsets[i], last = a.offsets[i + 1];
    std::int64_t e = first;
    T sum = 0;
    if (first + S <= a.entry_count) {
      for (; e < first + S; ++e) {
        const T next = term(e);
        sum += e < last ? next : T(0);
      }
    }
    for (; e < last; ++e) sum += term(e);
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

template <class T>
bool incidence_rows(const IncidenceArguments<T>& a, std::int64_t begin, std::int64_t end) {
  const Run<T> run = choose_run<T>(a);
  bool fine = true;
  for (std::int64_t block = begin; fine && block < end; block += block_rows) {
    const std::int64_t stop = block + block_rows < end ? block + block_rows : end;
    fine = in_range<T>(a, block, stop);
    if (fine) run(a, block, stop);
  }
  if (a.stream) finish_streaming();
  return fine;
}

}  // namespace

GSAN_DEFINE_KERNEL(incidence, IncidenceKernel, incidence_rows);

}  // namespace gsan::ops
