#include "gsan/ops/cpu/narrow_products_kernel.h"

#include "gsan/ops/cpu/vectors.h"

namespace gsan::ops {
namespace {

// Calls step.operator()<L>(k) for pieces of L numbers that cover K: as wide as registers are, then ever
// smaller.
template <class T, int L = full_lanes<T>, class Step>
inline void for_pieces(std::int64_t K, const Step& step, std::int64_t k = 0) {
  for (; k + L <= K; k += L) step.template operator()<L>(k);
  if constexpr (L > 1)
    if (k < K) for_pieces<T, L / 2>(K, step, k);
}

template <class T>
void product(const T* x, std::int64_t rows, std::int64_t K, const T* v, std::int64_t C, T* to) {
  constexpr int L = full_lanes<T>;
  using V = FullVector<T>;
  const std::int64_t whole = K / L * L;
  for (std::int64_t i = 0; i < rows; ++i, x += K, to += C) {
    std::int64_t c = 0;
    for (; c + 2 <= C; c += 2) {
      const T *a = v + c * K, *b = a + K;
      V first = {}, second = {};
      for (std::int64_t k = 0; k < whole; k += L) {
        const V piece = load<V>(x + k);
        first += piece * load<V>(a + k);
        second += piece * load<V>(b + k);
      }
      TwoSums<T> sums = sums_of<T, L>(first, second);
      for (std::int64_t k = whole; k < K; ++k) sums.a += x[k] * a[k], sums.b += x[k] * b[k];
      to[c] = sums.a, to[c + 1] = sums.b;
    }
    if (c == C) continue;
    V sum = {};
    for (std::int64_t k = 0; k < whole; k += L) sum += load<V>(x + k) * load<V>(v + c * K + k);
    T last = sum_of<T, L>(sum);
    for (std::int64_t k = whole; k < K; ++k) last += x[k] * v[c * K + k];
    to[c] = last;
  }
}

// Two columns over all rows at a time, their sums in registers.
template <class T>
void gram(const T* x, std::int64_t rows, std::int64_t K, const T* y, std::int64_t C, T* to) {
  for (std::int64_t c = 0; c < C; c += 2) {
    const bool both = c + 1 < C;
    const T *a = y + c, *b = y + c + both;
    for_pieces<T>(K, [&]<int L>(std::int64_t k) {
      using V = typename VectorOf<T, L>::Type;
      V first[2] = {}, second[2] = {};
      const auto add = [&](std::int64_t i, int strand) {
        const V piece = load<V>(x + i * K + k);
        first[strand] += piece * a[i * C];
        second[strand] += piece * b[i * C];
      };
      std::int64_t i = 0;
      for (; i + 2 <= rows; i += 2) add(i, 0), add(i + 1, 1);
      if (i < rows) add(i, 0);
      store<false>(to + c * K + k, first[0] + first[1]);
      if (both) store<false>(to + (c + 1) * K + k, second[0] + second[1]);
    });
  }
}

template <class T>
void add(T* x, std::int64_t rows, std::int64_t K, const T* y, std::int64_t C, const T* v) {
  for (std::int64_t i = 0; i < rows; ++i, x += K, y += C) {
    for_pieces<T>(K, [&]<int L>(std::int64_t k) {
      using V = typename VectorOf<T, L>::Type;
      V sum = load<V>(x + k);
      for (std::int64_t c = 0; c < C; ++c) sum += load<V>(v + c * K + k) * y[c];
      store<false>(x + k, sum);
    });
  }
}

template <class T>
constexpr NarrowKernels<T> narrow_kernels = {product<T>, gram<T>, add<T>};

}  // namespace

GSAN_DEFINE_KERNEL(narrow_products, NarrowKernels, narrow_kernels);

}  // namespace gsan::ops
