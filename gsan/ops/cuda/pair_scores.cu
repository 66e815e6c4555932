#include "gsan/ops/cuda/pair_rows.cuh"

namespace gsan::ops::cuda {
namespace {

constexpr int U = pairs_at_a_time;

template <class T>
struct PairScores {
  PairList list;
  Rows<const T> receiver, source;
  const T* v;
  T slope;
  T* y;
};

template <bool gatv2, int V, class T>
__device__ __forceinline__ void add_terms(const T (&a)[V], const T (&b)[V], const T (&factor)[V], T slope,
                                          T& sum) {
#pragma unroll
  for (int n = 0; n < V; ++n) {
    if constexpr (gatv2) {
      const T z = a[n] + b[n];
      sum += factor[n] * (z > 0 ? z : slope * z);
    } else {
      sum += a[n] * b[n];
    }
  }
}

// The scores of a head of a row; `one`: its features fit the registers of the group.
template <class T, int V, int L, bool one, bool gatv2>
__device__ __forceinline__ void score_row(const PairScores<T>& s, const RowPlace& place, int h,
                                          const PairSpan& span, int start, int step) {
  const PairList& list = s.list;
  const int features = list.features, lane = threadIdx.x % L, begin = lane * V;
  const unsigned mask = group_mask<L>();
  const T* receiver =
      s.receiver.data + place.signal * s.receiver.signal + place.row * s.receiver.row + h * features;
  const T* source = s.source.data + place.signal * s.source.signal + h * features;
  const T* v = gatv2 ? s.v + h * features : nullptr;
  const std::int32_t* sources = list.sources + span.first;
  T* y = s.y + (place.signal * list.pairs + span.first) * list.heads + h;
  T own[V] = {}, factor[V] = {};
  if (one && begin < features) {
    load<V>(receiver + begin, own);
    if (gatv2) load<V>(v + begin, factor);
  }
  for (int e = start; e < span.count; e += step) {
    std::int32_t from[U];
    T sums[U] = {};
#pragma unroll
    for (int u = 0; u < U; ++u) from[u] = e + u < span.count ? __ldg(sources + e + u) : 0;
    if constexpr (one) {
      T value[U][V];
#pragma unroll
      for (int u = 0; u < U; ++u)
        if (e + u < span.count && begin < features)
          load<V>(source + from[u] * s.source.row + begin, value[u]);
#pragma unroll
      for (int u = 0; u < U; ++u)
        if (e + u < span.count && begin < features) add_terms<gatv2>(own, value[u], factor, s.slope, sums[u]);
    } else {
      for (int d = begin; d < features; d += L * V) {
        T value[U][V];
        load<V>(receiver + d, own);
        if (gatv2) load<V>(v + d, factor);
#pragma unroll
        for (int u = 0; u < U; ++u)
          if (e + u < span.count) load<V>(source + from[u] * s.source.row + d, value[u]);
#pragma unroll
        for (int u = 0; u < U; ++u)
          if (e + u < span.count) add_terms<gatv2>(own, value[u], factor, s.slope, sums[u]);
      }
    }
    group_sums<L, U>(mask, sums);
    if (L > U && lane % (L / U) != 0) continue;
#pragma unroll
    for (int n = 0; n < sums_per_thread<L, U>; ++n) {
      const int pair = e + first_of_sums<L, U>() + n;
      if (pair < span.count) y[static_cast<std::int64_t>(pair) * list.heads] = sums[n];
    }
  }
}

template <class T, int V, int L, bool one, bool gatv2>
__global__ void __launch_bounds__(block_threads, one && sizeof(T) == 4 ? 4 : 2)
    scores_kernel(const PairScores<T> s) {
  constexpr int groups = block_threads / L;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * groups,
                     items = s.list.signals * s.list.rows * s.list.heads;
  clear_last_pairs(s.list, s.y);
  const std::int64_t mine = first + threadIdx.x / L;
  bool heavy = false;
  if (mine < items) {
    const RowPlace place(s.list, mine / s.list.heads);
    const PairSpan span(s.list, place.row);
    heavy = span.heavy();
    if (!heavy) score_row<T, V, L, one, gatv2>(s, place, static_cast<int>(mine % s.list.heads), span, 0, U);
  }
  if (!__syncthreads_or(heavy)) return;
  for (std::int64_t n = first; n < first + groups && n < items; ++n) {
    const RowPlace place(s.list, n / s.list.heads);
    const PairSpan span(s.list, place.row);
    if (span.heavy())
      score_row<T, V, L, one, gatv2>(s, place, static_cast<int>(n % s.list.heads), span, threadIdx.x / L * U,
                                     groups * U);
  }
}

}  // namespace

template <class T>
void launch_pair_scores(const PairList& list, const Rows<const T>& receiver, const Rows<const T>& source,
                        const T* v, T slope, T* y, Stream stream) {
  const std::int64_t items = list.signals * list.rows * list.heads;
  if (items == 0 || list.pairs == 0) return;
  const PairScores<T> scores{list, receiver, source, v, slope, y};
  with_row_shape<T>(list.features, true, [&](auto shape) {
    constexpr int V = decltype(shape)::vector, L = decltype(shape)::lanes;
    const unsigned blocks = blocks_of<L>(items);
    const bool one = list.features <= L * V;
    if (v && one) scores_kernel<T, V, L, true, true><<<blocks, block_threads, 0, stream>>>(scores);
    if (!v && one) scores_kernel<T, V, L, true, false><<<blocks, block_threads, 0, stream>>>(scores);
    if constexpr (L == 32) {
      if (v && !one) scores_kernel<T, V, L, false, true><<<blocks, block_threads, 0, stream>>>(scores);
      if (!v && !one) scores_kernel<T, V, L, false, false><<<blocks, block_threads, 0, stream>>>(scores);
    }
  });
}

#define GSAN_INSTANTIATE(T)                                                                                  \
  template void launch_pair_scores(const PairList&, const Rows<const T>&, const Rows<const T>&, const T*, T, \
                                   T*, Stream)
GSAN_INSTANTIATE(float);
GSAN_INSTANTIATE(double);

}  // namespace gsan::ops::cuda
