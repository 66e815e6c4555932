// Any pairs: with masks, signs, a sigmoid, of any width. plain_attention.cu has the common case.

#include "gsan/ops/cuda/attention/gather.cuh"
#include "gsan/ops/cuda/attention/plain_attention.h"

namespace gsan::ops::cuda {
namespace {

// Weights are e^{γ − M} with a bound M of the row's scores, and sums are divided by Z in the end. With a
// slope in [0, 1] the largest t of all sources makes a bound without a pass over the row. It serves where it
// is not far above the row's own largest score, which is found on the way; else the row is summed again with
// that.

// The sums of one row and head, of the whole group or block.
template <class T>
struct RowSums {
  T top = -INFINITY;      // the largest γ
  T plus = 0, minus = 0;  // Σ e^{γ − M} over each branch
};

// One neighbour: weights are not normalised yet.
template <class S, Weights weights>
__device__ __forceinline__ void weigh(const AttentionPairs<S>& list, const Item& item, std::int64_t e,
                                      Compute<S> x, Compute<S> bound, Neighbor<Compute<S>>& neighbor,
                                      RowSums<Compute<S>>& sums) {
  using T = Compute<S>;
  const T gamma = leaky(x, list.slope);
  if (list.sigmoid) {
    const T alpha = sigmoid_of(gamma), factor = factor_of(list, e, e, item.signal, item.head);
    neighbor.weight = alpha * factor;
    neighbor.other = (x > 0 ? T(1) : list.slope) * neighbor.weight * (1 - alpha);
    return;
  }
  const T w = exponential(gamma - bound);
  sums.top = gamma > sums.top ? gamma : sums.top;
  sums.plus += x > 0 ? w : T(0);
  sums.minus += x > 0 ? T(0) : w;
  const T factored = w * factor_of(list, e, e, item.signal, item.head);
  neighbor.weight = x > 0 || weights == Weights::one ? factored : T(0);
  neighbor.other = x > 0 ? T(0) : factored;
}

// s of the row and where t of its sources begins.
template <class T>
struct RowScores {
  const T* t;
  int t_row;
  T s, bound;

  template <class S>
  __device__ RowScores(const AttentionForward<S>& a, const Item& item)
      : t(a.list.source.data + item.signal * a.list.source.signal + item.head),
        t_row(static_cast<int>(a.list.source.row)) {
    const Rows<const T>& receiver = a.list.receiver;
    s = __ldg(receiver.data + item.signal * receiver.signal + item.row * receiver.row + item.head);
    bound = a.tops ? leaky(s + __ldg(a.tops + item.signal * a.list.heads + item.head), a.list.slope)
                   : T(INFINITY);
  }
  __device__ __forceinline__ T of(std::int32_t j) const {
    return __ldg(t + static_cast<std::int64_t>(j) * t_row);
  }
};

// Normalises and writes the features of the calling thread; the first of them writes the state.
template <class S, int V, Weights weights>
__device__ __forceinline__ void write_row(const AttentionForward<S>& a, const Item& item, int d,
                                          const RowScores<Compute<S>>& scores,
                                          const RowSums<Compute<S>>& sums, Compute<S> (&sum)[V],
                                          Compute<S> (&other)[V]) {
  using T = Compute<S>;
  const bool sigmoid = a.list.sigmoid;
  const T total = sums.plus + sums.minus, scale = sigmoid ? T(1) : total == 0 ? T(0) : T(1) / total;
  const bool keeps_plus = !(sums.plus > sums.minus);
  if (d == 0 && a.state) {
    RowState<T> state{scores.s, scores.bound, scale, keeps_plus ? sums.plus * scale : -(sums.minus * scale)};
    if (sigmoid) state = {scores.s, 0, 0, 1};
    store_state(a.state + item.number * 4, state);
  }
#pragma unroll
  for (int v = 0; v < V; ++v) {
    const T plus = sum[v] * scale, minus = other[v] * scale;
    sum[v] = sigmoid || weights == Weights::one ? plus : plus + minus;
    other[v] = sigmoid || !keeps_plus ? minus : plus;
  }
  const int at = item.head * a.list.features + d;
  if (a.tap.data) {
    T tap[V];
    load<V>(a.tap.data + item.signal * a.tap.signal + item.row * a.tap.row + at, tap);
#pragma unroll
    for (int v = 0; v < V; ++v) sum[v] += tap[v];
  }
  store<V>(a.y.data + item.signal * a.y.signal + item.row * a.y.row + at, sum);
  if constexpr (weights == Weights::two)
    store<V>(a.u.data + item.signal * a.u.signal + item.row * a.u.row + at, other);
}

template <class S, int V, int L, Weights weights>
__global__ void __launch_bounds__(block_threads) forward_kernel(const AttentionForward<S> a) {
  using T = Compute<S>;
  const std::int64_t number = (static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x) / L;
  if (number >= a.list.signals * a.list.rows * a.list.heads) return;
  const Item item(number, a.list);
  const auto [begin, degree] = PairRange(a.list, item.row);
  if (is_heavy(a.list, degree)) return;
  const int lane = threadIdx.x % L, last = degree - 1;
  const unsigned mask = group_mask<L>();
  const std::int32_t* const sources = a.list.sources + begin;
  RowScores<T> scores(a, item);
  const bool sigmoid = a.list.sigmoid;
  const S* const features = a.x.data + item.signal * a.x.signal + item.head * a.list.features;
  for (int first = 0; first < a.list.features; first += L * V) {
    const int d = first + lane * V;
    const bool is_on = d < a.list.features;
    for (bool again = false;; again = true) {
      RowSums<T> sums;
      T sum[V] = {}, other[V] = {};
      // Two chunks of neighbours are known ahead.
      std::int32_t j = 0, next_j = 0;
      T t = 0, next_t = 0;
      if (degree > 0) {
        j = __ldg(sources + min(lane, last)), next_j = __ldg(sources + min(L + lane, last));
        t = scores.of(j), next_t = scores.of(next_j);
      }
      for (int p = 0; p < degree; p += L) {
        Neighbor<T> mine;
        mine.row = j;
        if (p + lane < degree)
          weigh<S, weights>(a.list, item, begin + p + lane, scores.s + t, scores.bound, mine, sums);
        j = next_j, t = next_t;
        if (p + 2 * L < degree) {
          next_j = __ldg(sources + min(p + 2 * L + lane, last));
          next_t = scores.of(next_j);
        }
        if (sigmoid || scores.bound < T(INFINITY))
          gather<S, V, L, weights>(mine, degree - p, mask, features + (is_on ? d : 0),
                                   static_cast<int>(a.x.row), sum, other);
      }
      sums.top = group_max<L>(mask, sums.top);
      sums.plus = group_sum<L>(mask, sums.plus), sums.minus = group_sum<L>(mask, sums.minus);
      if (!again && !sigmoid && degree > 0 && !(scores.bound - sums.top <= far_above<T>)) {
        scores.bound = sums.top;
        continue;
      }
      if (is_on) write_row<S, V, weights>(a, item, d, scores, sums, sum, other);
      break;
    }
  }
}

// Group g of a block takes every G-th chunk of L pairs from the g-th on.
template <class S, int V, int L, Weights weights>
__device__ void heavy_row(const AttentionForward<S>& a, const Item& item, const PairRange& range,
                          Compute<S>* room) {
  using T = Compute<S>;
  const int lane = threadIdx.x % L, group = threadIdx.x / L, last = range.degree - 1;
  const unsigned mask = group_mask<L>();
  const std::int32_t* const sources = a.list.sources + range.begin;
  RowScores<T> scores(a, item);
  if (!a.list.sigmoid) {
    T top = -INFINITY;
    for (int p = threadIdx.x; p < range.degree; p += block_threads) {
      const T gamma = leaky(scores.s + scores.of(__ldg(sources + p)), a.list.slope);
      top = gamma > top ? gamma : top;
    }
    __syncthreads();
    room[threadIdx.x] = top;
    __syncthreads();
    for (int k = 0; k < block_threads; ++k) top = room[k] > top ? room[k] : top;
    scores.bound = top;
  }
  const S* const features = a.x.data + item.signal * a.x.signal + item.head * a.list.features;
  for (int first = 0; first < a.list.features; first += L * V) {
    const int d = first + lane * V;
    const bool is_on = d < a.list.features;
    RowSums<T> sums;
    T sum[V] = {}, other[V] = {};
    for (int p = group * L; p < range.degree; p += block_threads) {
      Neighbor<T> mine;
      mine.row = __ldg(sources + min(p + lane, last));
      if (p + lane < range.degree)
        weigh<S, weights>(a.list, item, range.begin + p + lane, scores.s + scores.of(mine.row), scores.bound,
                          mine, sums);
      gather<S, V, L, weights>(mine, range.degree - p, mask, features + (is_on ? d : 0),
                               static_cast<int>(a.x.row), sum, other);
    }
    T masses[2] = {group_sum<L>(mask, sums.plus), group_sum<L>(mask, sums.minus)};
    block_sum<L>(masses, room);
    block_sum<L>(sum, room);
    if constexpr (weights == Weights::two) block_sum<L>(other, room);
    sums.plus = masses[0], sums.minus = masses[1];
    if (is_on && group == 0) write_row<S, V, weights>(a, item, d, scores, sums, sum, other);
  }
}

template <class S, int V, int L, Weights weights>
__global__ void __launch_bounds__(block_threads) heavy_forward_kernel(const AttentionForward<S> a) {
  __shared__ Compute<S> room[block_threads * (V > 2 ? V : 2)];
  visit_heavy(a.list, [&](const Item& item, const PairRange& range) {
    heavy_row<S, V, L, weights>(a, item, range, room);
  });
}

template <class S, Weights weights>
void launch(const AttentionForward<S>& a, Stream stream) {
  const std::int64_t items = a.list.signals * a.list.rows * a.list.heads;
  const bool aligned = is_aligned(a.x) && is_aligned(a.y) && (a.tap.data == nullptr || is_aligned(a.tap)) &&
                       (a.u.data == nullptr || is_aligned(a.u));
  if (!aligned || !launch_plain_forward(a, stream))
    with_looping_shape<S>(a.list.features, aligned, [&](auto shape) {
      constexpr int V = decltype(shape)::vector, L = decltype(shape)::lanes;
      forward_kernel<S, V, L, weights><<<blocks_of<L>(items), block_threads, 0, stream>>>(a);
    });
  if (!a.list.has_heavy) return;
  with_heavy_shape<S>(a.list.features, aligned, [&](auto shape) {
    constexpr int V = decltype(shape)::vector, L = decltype(shape)::lanes;
    heavy_forward_kernel<S, V, L, weights><<<heavy_blocks, block_threads, 0, stream>>>(a);
  });
}

}  // namespace

template <class S>
void launch_attention_forward(const AttentionForward<S>& a, Stream stream) {
  if (a.list.signals * a.list.rows * a.list.heads == 0 || a.list.features == 0) return;
  a.u.data ? launch<S, Weights::two>(a, stream) : launch<S, Weights::one>(a, stream);
}

template void launch_attention_forward(const AttentionForward<float>&, Stream);
template void launch_attention_forward(const AttentionForward<double>&, Stream);
template void launch_attention_forward(const AttentionForward<Bf16>&, Stream);

}  // namespace gsan::ops::cuda
