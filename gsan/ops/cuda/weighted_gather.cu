#include "gsan/ops/cuda/pair_rows.cuh"

namespace gsan::ops::cuda {
namespace {

constexpr int U = pairs_at_a_time;

template <class T>
struct WeightedGather {
  PairList list;
  const T* weights;
  Rows<const T> x;
  T* y;
};

// Features d … d + V − 1 of a head of a row, over the pairs that fall to the thread.
template <class T, int V>
__device__ __forceinline__ void gather_row(const WeightedGather<T>& g, const RowPlace& place, int h, int d,
                                           const PairSpan& span, int start, int step, T (&sum)[V]) {
  const PairList& list = g.list;
  const T* x = g.x.data + place.signal * g.x.signal + h * list.features + d;
  const T* weights = g.weights + place.signal * list.pairs * list.heads + h;
  const std::int32_t* sources = list.sources + span.first;
  const bool mirror = list.mirror || list.wide_mirror;
  for (int e = start; e < span.count; e += step) {
    T weight[U], value[U][V];
    std::int64_t pair[U];
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (e + u < span.count) pair[u] = mirror ? mirrored(list, span.first + e + u) : span.first + e + u;
#pragma unroll
    for (int u = 0; u < U; ++u) {
      if (e + u >= span.count) continue;
      load<V>(x + __ldg(sources + e + u) * g.x.row, value[u]);
      weight[u] = __ldg(weights + pair[u] * list.heads);
    }
#pragma unroll
    for (int u = 0; u < U; ++u) {
      if (e + u >= span.count) continue;
#pragma unroll
      for (int v = 0; v < V; ++v) sum[v] += weight[u] * value[u][v];
    }
  }
}

// `pieces` groups of L · V features cover a head.
template <class T, int V, int L>
__global__ void __launch_bounds__(block_threads, sizeof(T) == 4 ? 4 : 2)
    gather_kernel(const WeightedGather<T> g, int pieces) {
  __shared__ T shared[block_threads];
  constexpr int groups = block_threads / L;
  const int tiles = g.list.heads * pieces, lane = threadIdx.x % L;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * groups,
                     items = g.list.signals * g.list.rows * tiles;
  const auto target = [&](std::int64_t number, int h, int d) {
    return g.y + (number * g.list.heads + h) * g.list.features + d;
  };
  const std::int64_t mine = first + threadIdx.x / L;
  bool heavy = false;
  if (mine < items) {
    const std::int64_t number = mine / tiles;
    const int tile = static_cast<int>(mine - number * tiles), h = tile / pieces,
              d = tile % pieces * L * V + lane * V;
    const RowPlace place(g.list, number);
    const PairSpan span(g.list, place.row);
    heavy = span.heavy();
    if (!heavy && d < g.list.features) {
      T sum[V] = {};
      gather_row<T, V>(g, place, h, d, span, 0, U, sum);
      store<V>(target(number, h, d), sum);
    }
  }
  if (!__syncthreads_or(heavy)) return;
  for (std::int64_t n = first; n < first + groups && n < items; ++n) {
    const std::int64_t number = n / tiles;
    const int tile = static_cast<int>(n - number * tiles), h = tile / pieces,
              d = tile % pieces * L * V + lane * V;
    const RowPlace place(g.list, number);
    const PairSpan span(g.list, place.row);
    if (!span.heavy()) continue;
    T sum[V] = {};
    if (d < g.list.features) gather_row<T, V>(g, place, h, d, span, threadIdx.x / L * U, groups * U, sum);
#pragma unroll
    for (int v = 0; v < V; ++v) sum[v] = sum_of_groups<L>(shared, sum[v]);
    if (threadIdx.x < L && d < g.list.features) store<V>(target(number, h, d), sum);
  }
}

}  // namespace

template <class T>
void launch_weighted_gather(const PairList& list, const T* weights, const Rows<const T>& x, T* y,
                            Stream stream) {
  if (list.signals * list.rows * list.heads * list.features == 0) return;
  with_row_shape<T>(list.features, true, [&](auto shape) {
    constexpr int V = decltype(shape)::vector, L = decltype(shape)::lanes;
    const int pieces = (list.features + L * V - 1) / (L * V);
    const std::int64_t items = list.signals * list.rows * list.heads * pieces;
    gather_kernel<T, V, L><<<blocks_of<L>(items), block_threads, 0, stream>>>({list, weights, x, y}, pieces);
  });
}

template void launch_weighted_gather(const PairList&, const float*, const Rows<const float>&, float*, Stream);
template void launch_weighted_gather(const PairList&, const double*, const Rows<const double>&, double*,
                                     Stream);

}  // namespace gsan::ops::cuda
