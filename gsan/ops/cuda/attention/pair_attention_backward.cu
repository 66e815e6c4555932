// Any pairs: with masks, signs, a sigmoid, of any width. plain_attention.cu has the common case of the
// columns.

#include "gsan/ops/cuda/attention/gather.cuh"
#include "gsan/ops/cuda/attention/plain_attention.h"

namespace gsan::ops::cuda {
namespace {

// D_i = g_i · (y_i − tap_i) and ds_i, a group per row and head.
template <class S, int V, int L>
__global__ void __launch_bounds__(block_threads) rows_kernel(const AttentionRows<S> a) {
  using T = Compute<S>;
  const std::int64_t number = (static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x) / L;
  if (number >= a.signals * a.rows * a.heads) return;
  const Item item(number, a);
  const int lane = threadIdx.x % L;
  const auto at = [&](const Rows<const S>& x) {
    return x.data + item.signal * x.signal + item.row * x.row + item.head * a.features;
  };
  T D = 0, part = 0;
  for (int d = lane * V; d < a.features; d += L * V) {
    T g[V], u[V];
    load<V>(at(a.gradient) + d, g);
    load<V>(at(a.u) + d, u);
#pragma unroll
    for (int v = 0; v < V; ++v) part += g[v] * u[v];
    if (a.sigmoid) continue;
    T y[V];
    load<V>(at(a.y) + d, y);
    if (a.tap.data) {
      T tap[V];
      load<V>(at(a.tap) + d, tap);
#pragma unroll
      for (int v = 0; v < V; ++v) y[v] -= tap[v];
    }
#pragma unroll
    for (int v = 0; v < V; ++v) D += g[v] * y[v];
  }
  const unsigned mask = group_mask<L>();
  D = group_sum<L>(mask, D);
  part = group_sum<L>(mask, part);
  if (lane != 0) return;
  RowState<T> state = load_state(a.state + number * 4);
  T ds = part;
  if (!a.sigmoid) {
    const T share = state.last < 0 ? -state.last : state.last;
    ds = (signbit(state.last) ? a.slope - 1 : 1 - a.slope) * (part - D * share);
  }
  T& to = a.of_receiver[(item.signal * a.rows + item.row) * a.of_row + item.head];
  to = a.add ? to + ds : ds;
  state.last = D;
  store_state(a.packed + number * 4, state);
}

// Weights of the pair (i, j) for column j, and κ α D in `of_D`.
template <class S>
__device__ __forceinline__ void weigh(const AttentionPairs<S>& list, const Item& item, std::int64_t e,
                                      Compute<S> t, const RowState<Compute<S>>& i,
                                      Neighbor<Compute<S>>& neighbor, Compute<S>& of_D) {
  using T = Compute<S>;
  const T x = i.s + t, gamma = leaky(x, list.slope), slope = x > 0 ? T(1) : list.slope;
  std::int64_t masked = e;
  if (list.mask) masked = list.mirror ? list.mirror[e] : list.wide_mirror[e];
  const T factor = factor_of(list, e, masked, item.signal, item.head);
  const T alpha = list.sigmoid ? sigmoid_of(gamma) : exponential(gamma - i.top) * i.scale;
  neighbor.weight = alpha * factor;
  neighbor.other = slope * neighbor.weight * (list.sigmoid ? 1 - alpha : T(1));
  if (!list.sigmoid) of_D += slope * alpha * i.last;
}

// Of row i.
template <class S>
__device__ __forceinline__ RowState<Compute<S>> state_of(const AttentionColumns<S>& a, const Item& item,
                                                         std::int32_t i) {
  return load_state(a.packed + ((item.signal * a.list.rows + i) * a.list.heads + item.head) * 4);
}

template <class S>
__device__ __forceinline__ Compute<S> source_score(const AttentionPairs<S>& list, const Item& item) {
  return __ldg(list.source.data + item.signal * list.source.signal + item.row * list.source.row + item.head);
}

// The features of the calling thread: dx is written, x · Σ κ w g is returned.
template <class S, int V>
__device__ __forceinline__ Compute<S> write_column(const AttentionColumns<S>& a, const Item& item, int d,
                                                   Compute<S> (&sum)[V], const Compute<S> (&other)[V]) {
  using T = Compute<S>;
  T x[V], dot = 0;
  load<V>(a.x.data + item.signal * a.x.signal + item.row * a.x.row + d, x);
#pragma unroll
  for (int v = 0; v < V; ++v) {
    dot += x[v] * other[v];
  }
  store<V>(a.of_x.data + item.signal * a.of_x.signal + item.row * a.of_x.row + d, sum);
  return dot;
}

template <class S>
__device__ __forceinline__ void write_source(const AttentionColumns<S>& a, const Item& item, Compute<S> dt) {
  Compute<S>& to = a.of_source[(item.signal * a.list.rows + item.row) * a.of_row + item.head];
  to = a.add ? to + dt : dt;
}

template <class S, int V, int L>
__global__ void __launch_bounds__(block_threads) columns_kernel(const AttentionColumns<S> a) {
  using T = Compute<S>;
  const std::int64_t number = (static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x) / L;
  if (number >= a.list.signals * a.list.rows * a.list.heads) return;
  const Item item(number, a.list);
  const auto [begin, degree] = PairRange(a.list, item.row);
  if (is_heavy(a.list, degree)) return;
  const int lane = threadIdx.x % L, last = degree - 1;
  const unsigned mask = group_mask<L>();
  const std::int32_t* const sources = a.list.sources + begin;
  const T t = source_score(a.list, item);
  const S* const features = a.gradient.data + item.signal * a.gradient.signal + item.head * a.list.features;
  T of_D = 0, dot = 0;
  for (int first = 0; first < a.list.features; first += L * V) {
    const int d = first + lane * V;
    const bool is_on = d < a.list.features;
    T sum[V] = {}, other[V] = {};
    std::int32_t i = 0, next_i = 0;
    RowState<T> state, next;
    if (degree > 0) {
      i = __ldg(sources + min(lane, last)), next_i = __ldg(sources + min(L + lane, last));
      state = state_of(a, item, i), next = state_of(a, item, next_i);
    }
    for (int p = 0; p < degree; p += L) {
      Neighbor<T> mine;
      T of_pair = 0;
      mine.row = i;
      if (p + lane < degree) weigh<S>(a.list, item, begin + p + lane, t, state, mine, of_pair);
      if (first == 0) of_D += of_pair;  // it belongs to the pair, not to its features
      i = next_i, state = next;
      if (p + 2 * L < degree) {
        next_i = __ldg(sources + min(p + 2 * L + lane, last));
        next = state_of(a, item, next_i);
      }
      gather<S, V, L, Weights::two>(mine, degree - p, mask, features + (is_on ? d : 0),
                                    static_cast<int>(a.gradient.row), sum, other);
    }
    if (is_on) dot += write_column<S, V>(a, item, item.head * a.list.features + d, sum, other);
  }
  const T dt = group_sum<L>(mask, dot - of_D);
  if (lane == 0) write_source(a, item, dt);
}

// Group g of a block takes every G-th chunk of L pairs from the g-th on.
template <class S, int V, int L>
__device__ void heavy_column(const AttentionColumns<S>& a, const Item& item, const PairRange& range,
                             Compute<S>* room) {
  using T = Compute<S>;
  const int lane = threadIdx.x % L, group = threadIdx.x / L;
  const unsigned mask = group_mask<L>();
  const T t = source_score(a.list, item);
  const std::int32_t* const sources = a.list.sources + range.begin;
  const S* const features = a.gradient.data + item.signal * a.gradient.signal + item.head * a.list.features;
  T of_D[1] = {0}, dot = 0;
  for (int first = 0; first < a.list.features; first += L * V) {
    const int d = first + lane * V;
    const bool is_on = d < a.list.features;
    T sum[V] = {}, other[V] = {};
    for (int p = group * L; p < range.degree; p += block_threads) {
      Neighbor<T> mine;
      T of_pair = 0;
      mine.row = __ldg(sources + min(p + lane, range.degree - 1));
      if (p + lane < range.degree)
        weigh<S>(a.list, item, range.begin + p + lane, t, state_of(a, item, mine.row), mine, of_pair);
      if (first == 0) of_D[0] += of_pair;
      gather<S, V, L, Weights::two>(mine, range.degree - p, mask, features + (is_on ? d : 0),
                                    static_cast<int>(a.gradient.row), sum, other);
    }
    block_sum<L>(sum, room);
    block_sum<L>(other, room);
    if (is_on && group == 0) dot += write_column<S, V>(a, item, item.head * a.list.features + d, sum, other);
  }
  block_sum<L>(of_D, room);
  if (group != 0) return;
  const T dt = group_sum<L>(mask, dot - of_D[0]);
  if (lane == 0) write_source(a, item, dt);
}

template <class S, int V, int L>
__global__ void __launch_bounds__(block_threads) heavy_columns_kernel(const AttentionColumns<S> a) {
  __shared__ Compute<S> room[block_threads * V];
  visit_heavy(a.list,
              [&](const Item& item, const PairRange& range) { heavy_column<S, V, L>(a, item, range, room); });
}

}  // namespace

template <class S>
void launch_attention_rows(const AttentionRows<S>& a, Stream stream) {
  const std::int64_t items = a.signals * a.rows * a.heads;
  if (items == 0 || a.features == 0) return;
  const bool aligned = is_aligned(a.gradient) && is_aligned(a.y) && is_aligned(a.u) &&
                       (a.tap.data == nullptr || is_aligned(a.tap));
  with_looping_shape<S>(a.features, aligned, [&](auto shape) {
    constexpr int V = decltype(shape)::vector, L = decltype(shape)::lanes;
    rows_kernel<S, V, L><<<blocks_of<L>(items), block_threads, 0, stream>>>(a);
  });
}

template <class S>
void launch_attention_columns(const AttentionColumns<S>& a, Stream stream) {
  const std::int64_t items = a.list.signals * a.list.rows * a.list.heads;
  if (items == 0 || a.list.features == 0) return;
  const bool aligned = is_aligned(a.gradient) && is_aligned(a.x) && is_aligned(a.of_x);
  if (!aligned || !launch_plain_columns(a, stream))
    with_looping_shape<S>(a.list.features, aligned, [&](auto shape) {
      constexpr int V = decltype(shape)::vector, L = decltype(shape)::lanes;
      columns_kernel<S, V, L><<<blocks_of<L>(items), block_threads, 0, stream>>>(a);
    });
  if (!a.list.has_heavy) return;
  with_heavy_shape<S>(a.list.features, aligned, [&](auto shape) {
    constexpr int V = decltype(shape)::vector, L = decltype(shape)::lanes;
    heavy_columns_kernel<S, V, L><<<heavy_blocks, block_threads, 0, stream>>>(a);
  });
}

#define GSAN_FOR(S)                                                     \
  template void launch_attention_rows(const AttentionRows<S>&, Stream); \
  template void launch_attention_columns(const AttentionColumns<S>&, Stream);
GSAN_FOR(float)
GSAN_FOR(double)
GSAN_FOR(Bf16)
#undef GSAN_FOR

}  // namespace gsan::ops::cuda
