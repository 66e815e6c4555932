// A block owns a block of rows, one head and L · V of its features; each of its groups takes every so many-th
// row, gathers what both sides of a pair need in one walk, and keeps the gradient of v over all of its rows.

#include "gsan/ops/cuda/pair_rows.cuh"

namespace gsan::ops::cuda {
namespace {

constexpr int U = pairs_at_a_time;

// What a thread adds up over the pairs of a row.
template <class T, int V>
struct Gatv2Sums {
  T receiver[V] = {}, source[V] = {}, v[V] = {};
};

template <class T, int V>
__device__ __forceinline__ void walk_row(const Gatv2Gradient<T>& a, const RowPlace& place, int h, int d,
                                         const PairSpan& span, int start, int step, Gatv2Sums<T, V>& sums) {
  const PairList& list = a.list;
  const std::int64_t column = h * list.features + d;
  const T *receiver = a.receiver.data + place.signal * a.receiver.signal + column,
          *source = a.source.data + place.signal * a.source.signal + column,
          *g = a.g + place.signal * list.pairs * list.heads + h, *out_of = g + span.first * list.heads;
  const std::int32_t* sources = list.sources + span.first;
  T own_receiver[V], own_source[V];
  load<V>(receiver + place.row * a.receiver.row, own_receiver);
  load<V>(source + place.row * a.source.row, own_source);
  for (int e = start; e < span.count; e += step) {
    T its_receiver[U][V], its_source[U][V], out[U], back[U];
#pragma unroll
    for (int u = 0; u < U; ++u) {
      if (e + u >= span.count) continue;
      const std::int64_t j = __ldg(sources + e + u);
      load<V>(source + j * a.source.row, its_source[u]);
      load<V>(receiver + j * a.receiver.row, its_receiver[u]);
      out[u] = __ldg(out_of + static_cast<std::int64_t>(e + u) * list.heads);
      back[u] = __ldg(g + mirrored(list, span.first + e + u) * list.heads);
    }
#pragma unroll
    for (int u = 0; u < U; ++u) {
      if (e + u >= span.count) continue;
#pragma unroll
      for (int n = 0; n < V; ++n) {
        const T z = own_receiver[n] + its_source[u][n], weighted = z > 0 ? out[u] : out[u] * a.slope;
        sums.receiver[n] += weighted;
        sums.v[n] += weighted * z;
        sums.source[n] += its_receiver[u][n] + own_source[n] > 0 ? back[u] : back[u] * a.slope;
      }
    }
  }
}

template <class T, int V, int L>
__global__ void __launch_bounds__(block_threads, sizeof(T) == 4 ? 2 : 1)
    gatv2_gradient_kernel(const Gatv2Gradient<T> a, std::int64_t length, int pieces) {
  __shared__ double shared[block_threads];
  constexpr int groups = block_threads / L;
  const PairList& list = a.list;
  const int tiles = list.heads * pieces, tile = static_cast<int>(blockIdx.x % tiles), h = tile / pieces,
            d = tile % pieces * L * V + threadIdx.x % L * V;
  const std::int64_t block = blockIdx.x / tiles, rows = list.signals * list.rows;
  const std::int64_t begin = block * length, last = begin + length < rows ? begin + length : rows;
  const bool mine = d < list.features;
  T factor[V] = {};
  if (mine) load<V>(a.v + h * list.features + d, factor);
  double of_v[V] = {};
  const auto keep = [&](const Gatv2Sums<T, V>& sums) {
#pragma unroll
    for (int n = 0; n < V; ++n) of_v[n] += static_cast<double>(sums.v[n]);
  };
  const auto put = [&](std::int64_t number, Gatv2Sums<T, V>& sums) {
#pragma unroll
    for (int n = 0; n < V; ++n) sums.receiver[n] *= factor[n], sums.source[n] *= factor[n];
    const std::int64_t to = (number * list.heads + h) * list.features + d;
    store<V>(a.of_receiver + to, sums.receiver);
    store<V>(a.of_source + to, sums.source);
  };
  bool heavy = false;
  for (std::int64_t number = begin + threadIdx.x / L; number < last; number += groups) {
    const RowPlace place(list, number);
    const PairSpan span(list, place.row);
    heavy = heavy || span.heavy();
    if (span.heavy() || !mine) continue;
    Gatv2Sums<T, V> sums;
    walk_row(a, place, h, d, span, 0, U, sums);
    keep(sums), put(number, sums);
  }
  if (__syncthreads_or(heavy)) {
    for (std::int64_t number = begin; number < last; ++number) {
      const RowPlace place(list, number);
      const PairSpan span(list, place.row);
      if (!span.heavy()) continue;
      Gatv2Sums<T, V> sums;
      if (mine) walk_row(a, place, h, d, span, threadIdx.x / L * U, groups * U, sums);
      keep(sums);
      T* const memory = reinterpret_cast<T*>(shared);
#pragma unroll
      for (int n = 0; n < V; ++n) {
        sums.receiver[n] = sum_of_groups<L>(memory, sums.receiver[n]);
        sums.source[n] = sum_of_groups<L>(memory, sums.source[n]);
      }
      if (threadIdx.x < L && mine) put(number, sums);
    }
  }
#pragma unroll
  for (int n = 0; n < V; ++n) {
    const double sum = sum_of_groups<L>(shared, of_v[n]);
    if (threadIdx.x < L && mine) a.parts[(block * list.heads + h) * list.features + d + n] = sum;
  }
}

}  // namespace

template <class T>
void launch_gatv2_gradient(const Gatv2Gradient<T>& a, Stream stream) {
  const PairList& list = a.list;
  const RowBlocks blocks = gatv2_blocks(list.signals, list.rows);
  if (blocks.count * list.heads * list.features == 0) return;
  with_row_shape<T>(list.features, true, [&](auto shape) {
    constexpr int V = decltype(shape)::vector, L = decltype(shape)::lanes;
    const int pieces = (list.features + L * V - 1) / (L * V);
    const auto grid = static_cast<unsigned>(blocks.count * list.heads * pieces);
    gatv2_gradient_kernel<T, V, L><<<grid, block_threads, 0, stream>>>(a, blocks.length, pieces);
  });
}

template void launch_gatv2_gradient(const Gatv2Gradient<float>&, Stream);
template void launch_gatv2_gradient(const Gatv2Gradient<double>&, Stream);

}  // namespace gsan::ops::cuda
