// Scaled incidence products (scaled_kernel.h). Without contraction of products and sums, so that every build
// rounds alike.

#include "gsan/ops/cpu/scaled_kernel.h"

#include "gsan/ops/cpu/signed_rows.h"

namespace gsan::ops {
namespace {

// A row whose entries have factors next to their signs.
template <class T, class Row>
struct ScaledRow {
  Row row;
  const std::int32_t* entries;
  const T* factors;  // of one group; null: ones
  std::int64_t groups;
  std::int64_t count() const { return row.count(); }
  T sign(std::int64_t e) const { return factors ? row.sign(e) * factors[entries[e] * groups] : row.sign(e); }
};

// Always in the same order, whatever the width of the registers: pairs of halves.
template <class T>
T sum_products(const T* a, const T* b, std::int64_t count) {
  constexpr int lanes = 16;
  T sum[lanes] = {};
  const std::int64_t whole = count / lanes;
  for (std::int64_t i = 0; i < whole; ++i, a += lanes, b += lanes)
    for (int l = 0; l < lanes; ++l) sum[l] += a[l] * b[l];
  for (int l = 0; l < static_cast<int>(count % lanes); ++l) sum[l] += a[l] * b[l];
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int l = 0; l < half; ++l) sum[l] += sum[l + half];
  return sum[0];
}

// One group of one row; `sums` holds the unscaled sums when somebody asks for them.
template <class T, int L, int P, bool stream, class Row>
inline void scaled_group(const ScaledArguments<T>& a, const Row& plain, std::int64_t i, std::int64_t h,
                         std::int64_t width, T* sums) {
  using V = typename VectorOf<T, L>::Type;
  const ScaledRow<T, Row> row{plain, plain.entries, a.x_factors ? a.x_factors + h : nullptr, a.groups};
  const std::int64_t start = h * width;
  const T factor = a.y_factors ? a.y_factors[i * a.groups + h] : T(1);
  for_pieces<L, P, stream>(width, [&]<int Q, bool past_caches>(std::int64_t at) {
    V sum[Q] = {};
    add_pieces<T, L, Q>(row, a.x + start + at, a.x_stride, sum);
    if (sums) {
      for (int p = 0; p < Q; ++p) store<false>(sums + at + p * L, sum[p]);
    }
    if (!a.y) return;
    T* to = a.y + i * a.features + start + at;
    for (int p = 0; p < Q; ++p) store<past_caches>(to + p * L, sum[p] * factor);
  });
  if (sums) a.dots[i * a.groups + h] = sum_products(sums, a.other + i * a.features + start, width);
}

template <class T>
using ScaledRun = void (*)(const ScaledArguments<T>&, std::int64_t begin, std::int64_t end, T* sums);

template <class T, int L, int P, bool stream>
void run_scaled(const ScaledArguments<T>& arguments, std::int64_t begin, std::int64_t end, T* sums) {
  const ScaledArguments<T> a = arguments;
  const std::int64_t width = P ? P * L : a.features / a.groups;
  const T signs[2] = {1, a.absolute ? T(1) : T(-1)};
  for (std::int64_t i = begin; i < end; ++i) {
    for (std::int64_t h = 0; h < a.groups; ++h) {
      if (a.offsets) {
        const std::int64_t first = a.offsets[i];
        const ListRow<T> row{a.entries + first, a.columns + first, a.offsets[i + 1] - first, signs};
        scaled_group<T, L, P, stream>(a, row, i, h, width, sums);
      } else {
        const TableRow<T, 0> row{a.entries + i * a.width, a.width, signs[1]};
        scaled_group<T, L, P, stream>(a, row, i, h, width, sums);
      }
    }
  }
}

template <class T, int L, int P>
ScaledRun<T> choose_scaled_store(const ScaledArguments<T>& a) {
  if constexpr (L * sizeof(T) == GSAN_VECTOR_BYTES) {
    if (a.stream) return run_scaled<T, L, P, true>;
  }
  return run_scaled<T, L, P, false>;
}

template <class T, int L = GSAN_VECTOR_BYTES / sizeof(T)>
ScaledRun<T> choose_scaled(const ScaledArguments<T>& a) {
  const std::int64_t width = a.features / a.groups;
  if constexpr (L > 1) {
    if (width < L) return choose_scaled<T, L / 2>(a);
  }
  if constexpr (L * sizeof(T) == GSAN_VECTOR_BYTES) {
    if (width == L) return choose_scaled_store<T, L, 1>(a);
    if (width == 2 * L) return choose_scaled_store<T, L, 2>(a);
  }
  return choose_scaled_store<T, L, 0>(a);
}

// `sums` is scratch of features / groups numbers where dots are wanted, null elsewhere.
template <class T>
bool scaled_rows(const ScaledArguments<T>& a, std::int64_t begin, std::int64_t end) {
  const ScaledRun<T> run = choose_scaled<T>(a);
  T* sums = a.other ? new T[static_cast<std::size_t>(a.features / a.groups)] : nullptr;
  bool fine = true;
  for (std::int64_t block = begin; fine && block < end; block += block_rows) {
    const std::int64_t stop = block + block_rows < end ? block + block_rows : end;
    fine = in_range<T>(a, block, stop);
    if (fine) run(a, block, stop, sums);
  }
  if (a.stream) finish_streaming();
  delete[] sums;
  return fine;
}

}  // namespace

GSAN_DEFINE_KERNEL(scaled, ScaledKernel, scaled_rows);

}  // namespace gsan::ops
