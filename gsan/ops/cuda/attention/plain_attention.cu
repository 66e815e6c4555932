// What bounds these kernels is how many rows are on their way from memory at a time: few registers, so that
// many warps fit, come before fewer instructions. Hence 32-bit numbers wherever they suffice, one pass over
// the neighbours, and nothing kept but sums; the branch of a score travels in the sign of the row's number.

#include <type_traits>

#include "gsan/ops/cuda/attention/gather.cuh"
#include "gsan/ops/cuda/attention/plain_attention.h"

namespace gsan::ops::cuda {
namespace {

constexpr int plain_threads = 128;
constexpr int sign_bit = static_cast<int>(0x80000000u);

// Blocks that a multiprocessor should hold, which limits the registers.
template <int L>
constexpr int wanted_blocks = L > 8 ? 8 : 10;
template <int L>
constexpr int wanted_forward_blocks = L > 8 ? 8 : 9;

// Row, head and signal of the group, in 32 bits; not `many`: there is one head and one signal.
template <class S, bool many>
struct PlainItem {
  int number, row, head = 0, signal = 0;
  __device__ __forceinline__ PlainItem(const AttentionPairs<S>& list, int lanes)
      : number(static_cast<int>((blockIdx.x * static_cast<unsigned>(plain_threads) + threadIdx.x) / lanes)),
        row(number) {
    if constexpr (many) {
      head = row % list.heads;
      row /= list.heads;
      signal = row / static_cast<int>(list.rows);
      row %= static_cast<int>(list.rows);
    }
  }
  template <class T>
  __device__ __forceinline__ T* at(const Rows<T>& x, int place) const {
    return x.data + signal * x.signal + static_cast<std::int64_t>(row) * static_cast<int>(x.row) + place;
  }
  template <class T>
  __device__ __forceinline__ T* base(const Rows<T>& x, int place) const {
    return x.data + signal * x.signal + place;
  }
};

// plus += w x over the neighbours whose number is not negative, minus += w x over the others, in the order of
// the first `left` threads of the group.
template <class S, int V, int L, Weights weights>
__device__ __forceinline__ void add_neighbors(std::int32_t mine, Compute<S> my_weight, int left,
                                              unsigned mask, const S* x, int x_row, Compute<S> (&plus)[V],
                                              Compute<S> (&minus)[V]) {
  using T = Compute<S>;
  constexpr int size = batch_size<L>;
#pragma unroll
  for (int first = 0; first < L; first += size) {
    if (first >= left) break;
    Pack<S, V> value[size];
    std::int32_t row[size];
#pragma unroll
    for (int a = 0; a < size; ++a) {
      row[a] = __shfl_sync(mask, mine, first + a, L);
      load<V>(x + static_cast<std::int64_t>(row[a] & ~sign_bit) * x_row, value[a]);
    }
#pragma unroll
    for (int a = 0; a < size; ++a) {
      const T weight = __shfl_sync(mask, my_weight, first + a, L);
      const T w = weights == Weights::two && row[a] < 0 ? T(0) : weight, other = row[a] < 0 ? weight : T(0);
#pragma unroll
      for (int v = 0; v < V; ++v) {
        const T number = widen(value[a].number[v]);
        plus[v] += w * number;
        if constexpr (weights == Weights::two) minus[v] += other * number;
      }
    }
  }
}

template <class S, int V, int L, Weights weights, bool many>
__global__ void __launch_bounds__(plain_threads, wanted_forward_blocks<L>)
    forward_kernel(const AttentionForward<S> a, int items) {
  using T = Compute<S>;
  const PlainItem<S, many> item(a.list, L);
  if (item.number >= items) return;
  const int begin = static_cast<int>(__ldg(a.list.offsets + item.row)),
            end = static_cast<int>(__ldg(a.list.offsets + item.row + 1));
  if (is_heavy(a.list, end - begin)) return;
  const int lane = threadIdx.x % L, d = lane * V;
  const bool is_on = d < a.list.features;
  const unsigned mask = group_mask<L>();
  const T s = __ldg(item.at(a.list.receiver, item.head));
  const T* const t = item.base(a.list.source, item.head);
  const S* const x = item.base(a.x, item.head * a.list.features + (is_on ? d : 0));
  T bound =
      a.tops ? leaky(s + __ldg(a.tops + item.signal * a.list.heads + item.head), a.list.slope) : T(INFINITY);
  T sum[V], other[V], plus, minus;
  for (bool again = false;; again = true) {
    T top = -INFINITY;
    plus = 0, minus = 0;
#pragma unroll
    for (int v = 0; v < V; ++v) sum[v] = 0, other[v] = 0;
    std::int32_t j = end > begin ? __ldg(a.list.sources + min(begin + lane, end - 1)) : 0;
    for (int p = begin; p < end; p += L) {
      const T z = s + __ldg(t + static_cast<std::int64_t>(j) * static_cast<int>(a.list.source.row));
      const std::int32_t next = p + L < end ? __ldg(a.list.sources + min(p + L + lane, end - 1)) : 0;
      const T gamma = leaky(z, a.list.slope), w = p + lane < end ? exponential(gamma - bound) : T(0);
      top = gamma > top ? gamma : top;
      plus += z > 0 ? w : T(0);
      minus += z > 0 ? T(0) : w;
      if (weights == Weights::two && !(z > 0)) j |= sign_bit;
      if (bound < T(INFINITY))
        add_neighbors<S, V, L, weights>(j, w, end - p, mask, x, static_cast<int>(a.x.row), sum, other);
      j = next;
    }
    top = group_max<L>(mask, top);
    if (again || end == begin || bound - top <= far_above<T>) break;
    bound = top;
  }
  plus = group_sum<L>(mask, plus), minus = group_sum<L>(mask, minus);
  const T total = plus + minus, scale = total == 0 ? T(0) : T(1) / total;  // a row may have no pairs
  const bool keeps_plus = !(plus > minus);
  if (lane == 0 && a.state)
    store_state(a.state + static_cast<std::int64_t>(item.number) * 4,
                {s, bound, scale, keeps_plus ? plus * scale : -(minus * scale)});
  if (!is_on) return;
#pragma unroll
  for (int v = 0; v < V; ++v) {
    const T below = other[v] * scale;
    sum[v] *= scale;
    if constexpr (weights == Weights::two) {
      other[v] = keeps_plus ? sum[v] : below;
      sum[v] += below;
    }
  }
  const int place = item.head * a.list.features + d;
  if constexpr (weights == Weights::two) store<V>(item.at(a.u, place), other);
  if (a.tap.data) {
    load<V>(item.at(a.tap, place), other);
#pragma unroll
    for (int v = 0; v < V; ++v) sum[v] += other[v];
  }
  store<V>(item.at(a.y, place), sum);
}

template <class S, int V, int L, bool many>
__global__ void __launch_bounds__(plain_threads, wanted_blocks<L>)
    columns_kernel(const AttentionColumns<S> a, int items) {
  using T = Compute<S>;
  const PlainItem<S, many> item(a.list, L);
  if (item.number >= items) return;
  const int begin = static_cast<int>(__ldg(a.list.offsets + item.row)),
            end = static_cast<int>(__ldg(a.list.offsets + item.row + 1));
  if (is_heavy(a.list, end - begin)) return;
  const int lane = threadIdx.x % L, d = lane * V;
  const bool is_on = d < a.list.features;
  const unsigned mask = group_mask<L>();
  const T t = __ldg(item.at(a.list.source, item.head));
  const S* const g = item.base(a.gradient, item.head * a.list.features + (is_on ? d : 0));
  const T* const packed = a.packed + (item.signal * a.list.rows * a.list.heads + item.head) * 4;
  T sum[V] = {}, other[V] = {}, dot = 0;
  std::int32_t i = end > begin ? __ldg(a.list.sources + min(begin + lane, end - 1)) : 0;
  for (int p = begin; p < end; p += L) {
    const RowState<T> row = load_state(packed + static_cast<std::int64_t>(i) * (many ? 4 * a.list.heads : 4));
    const std::int32_t next = p + L < end ? __ldg(a.list.sources + min(p + L + lane, end - 1)) : 0;
    const T z = row.s + t,
            w = p + lane < end ? exponential(leaky(z, a.list.slope) - row.top) * row.scale : T(0);
    dot -= (z > 0 ? w : a.list.slope * w) * row.last;
    if (!(z > 0)) i |= sign_bit;
    add_neighbors<S, V, L, Weights::two>(i, w, end - p, mask, g, static_cast<int>(a.gradient.row), sum,
                                         other);
    i = next;
  }
  if (is_on) {
    const int place = item.head * a.list.features + d;
    T x[V];
    load<V>(item.at(a.x, place), x);
#pragma unroll
    for (int v = 0; v < V; ++v) {
      dot += x[v] * (sum[v] + a.list.slope * other[v]);
      sum[v] += other[v];
    }
    store<V>(item.at(a.of_x, place), sum);
  }
  dot = group_sum<L>(mask, dot);
  if (lane != 0) return;
  T& to = a.of_source[(item.signal * a.list.rows + item.row) * a.of_row + item.head];
  to = a.add ? to + dot : dot;
}

// Whether the call is plain; then run(shape, items, blocks, one or many).
template <class S, class Run>
bool launch(const AttentionPairs<S>& list, const Run& run) {
  constexpr int V = 16 / static_cast<int>(sizeof(S));
  const std::int64_t items = list.signals * list.rows * list.heads;
  if (sizeof(S) == 8 || list.signs || list.mask || list.sigmoid || list.features % V != 0 ||
      list.features > 32 * V || items >= std::int64_t{1} << 26 || list.pairs >= std::int64_t{1} << 31)
    return false;
  with_looping_shape<S>(list.features, true, [&](auto shape) {
    constexpr int L = decltype(shape)::lanes, at_a_time = plain_threads / L;
    const auto blocks = static_cast<unsigned>((items + at_a_time - 1) / at_a_time);
    if constexpr (decltype(shape)::vector == V) {
      if (list.heads == 1 && list.signals == 1)
        run(shape, std::false_type{}, static_cast<int>(items), blocks);
      else
        run(shape, std::true_type{}, static_cast<int>(items), blocks);
    }
  });
  return true;
}

}  // namespace

template <class S>
bool launch_plain_forward(const AttentionForward<S>& a, Stream stream) {
  return launch(a.list, [&](auto shape, auto many, int items, unsigned blocks) {
    constexpr int V = decltype(shape)::vector, L = decltype(shape)::lanes;
    constexpr bool is_many = decltype(many)::value;
    if (a.u.data)
      forward_kernel<S, V, L, Weights::two, is_many><<<blocks, plain_threads, 0, stream>>>(a, items);
    else
      forward_kernel<S, V, L, Weights::one, is_many><<<blocks, plain_threads, 0, stream>>>(a, items);
  });
}

template <class S>
bool launch_plain_columns(const AttentionColumns<S>& a, Stream stream) {
  return launch(a.list, [&](auto shape, auto many, int items, unsigned blocks) {
    constexpr int V = decltype(shape)::vector, L = decltype(shape)::lanes;
    constexpr bool is_many = decltype(many)::value;
    columns_kernel<S, V, L, is_many><<<blocks, plain_threads, 0, stream>>>(a, items);
  });
}

template <>
bool launch_plain_forward(const AttentionForward<double>&, Stream) {
  return false;
}
template <>
bool launch_plain_columns(const AttentionColumns<double>&, Stream) {
  return false;
}
template bool launch_plain_forward(const AttentionForward<float>&, Stream);
template bool launch_plain_forward(const AttentionForward<Bf16>&, Stream);
template bool launch_plain_columns(const AttentionColumns<float>&, Stream);
template bool launch_plain_columns(const AttentionColumns<Bf16>&, Stream);

}  // namespace gsan::ops::cuda
