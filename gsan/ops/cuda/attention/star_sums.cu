// The features of the attention over stars: running sums over sorted stars, and what rows take of them.

#include "gsan/ops/cuda/attention/gather.cuh"
#include "gsan/ops/cuda/attention/star_places.cuh"

namespace gsan::ops::cuda {
namespace {

// Places whose rows are on their way at the same time.
constexpr int ahead = 4;

template <class S, int V, int L>
struct PanelWalk {
  using T = Compute<S>;
  const StarPanels<S>& a;
  int d;  // the features of the calling thread

  __device__ __forceinline__ T weight(std::int64_t q, int which) const {
    const std::int64_t slot = __ldg(a.sorted.slot + q);
    return __ldg(a.weights + 2 * slot + which) * __ldg(a.factor + 2 * slot + a.which_factor);
  }

  // visit(q, weight · x) for the places from `begin` to `end`, upwards or (step = −1) downwards.
  template <int step, class Visit>
  __device__ __forceinline__ void walk(std::int64_t begin, std::int64_t end, const Visit& visit) const {
    constexpr int which = step > 0 ? 1 : 0;
    const int count = static_cast<int>(end - begin);
    const std::int64_t start = step > 0 ? begin : end - 1;
    for (int k = 0; k < count; k += ahead) {
      Pack<S, V> value[ahead];
      T w[ahead];
#pragma unroll
      for (int n = 0; n < ahead; ++n) {
        const std::int64_t q = start + step * min(k + n, count - 1);
        w[n] = weight(q, which);
        load<V>(a.x + static_cast<std::int64_t>(__ldg(a.sorted.row + q)) * a.x_row + d, value[n]);
      }
#pragma unroll
      for (int n = 0; n < ahead; ++n) {
        if (k + n >= count) break;
        T product[V];
#pragma unroll
        for (int v = 0; v < V; ++v) product[v] = w[n] * widen(value[n].number[v]);
        visit(start + step * (k + n), product);
      }
    }
  }
};

template <int V, class T>
__device__ __forceinline__ void add_to(T (&sum)[V], const T (&x)[V]) {
#pragma unroll
  for (int v = 0; v < V; ++v) sum[v] += x[v];
}

template <class S, int V, int L>
__global__ void __launch_bounds__(block_threads)
    block_sums_kernel(const StarPanels<S> a, std::int64_t blocks) {
  using T = Compute<S>;
  const std::int64_t c = (static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x) / L;
  const int d = threadIdx.x % L * V;
  if (c >= blocks || d >= a.features) return;
  const PlaceBlock block(a.tables, c);
  const PanelWalk<S, V, L> panel{a, d};
  T head[V] = {}, tail[V] = {};
  panel.template walk<-1>(block.begin, block.head_end(),
                          [&](std::int64_t, const T(&x)[V]) { add_to<V>(head, x); });
  panel.template walk<1>(block.tail_begin(), block.end,
                         [&](std::int64_t, const T(&x)[V]) { add_to<V>(tail, x); });
  store<V>(a.scratch + c * a.features + d, head);
  store<V>(a.scratch + (blocks + c) * a.features + d, tail);
}

template <class S, int V, int L>
__global__ void __launch_bounds__(block_threads) panels_kernel(const StarPanels<S> a, std::int64_t blocks) {
  using T = Compute<S>;
  const std::int64_t c = (static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x) / L;
  const int d = threadIdx.x % L * V;
  if (c >= blocks || d >= a.features) return;
  const PlaceBlock block(a.tables, c);
  const PanelWalk<S, V, L> panel{a, d};
  T carry[V] = {}, recent[V] = {}, sum[V];
  const auto restart = [&] {
#pragma unroll
    for (int v = 0; v < V; ++v) carry[v] = recent[v] = 0;
  };
  const auto run = [&](T* to, std::int64_t q, const T(&x)[V]) {
#pragma unroll
    for (int v = 0; v < V; ++v) sum[v] = carry[v] + (recent[v] += x[v]);
    store<V>(to + q * a.features + d, sum);
  };
  for (std::int64_t b = block.first_block(); b < c; ++b) {
    load<V>(a.scratch + (blocks + b) * a.features + d, sum);
    add_to<V>(carry, sum);
  }
  panel.template walk<1>(block.begin, block.end, [&](std::int64_t q, const T(&x)[V]) {
    if (block.begins_star(q)) restart();
    run(a.below, q, x);
  });
  restart();
  for (std::int64_t b = block.last_block(); b > c; --b) {
    load<V>(a.scratch + b * a.features + d, sum);
    add_to<V>(carry, sum);
  }
  panel.template walk<-1>(block.begin, block.end, [&](std::int64_t q, const T(&x)[V]) {
    if (block.ends_star(q)) restart();
    run(a.above, q, x);
  });
}

template <class S, int V, int L, bool backward>
__global__ void __launch_bounds__(block_threads) rows_kernel(const StarRows<S> a) {
  using T = Compute<S>;
  const std::int64_t i = (static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x) / L;
  if (i >= a.tables.simplices) return;
  const int lane = threadIdx.x % L, d = lane * V, width = a.tables.width;
  const bool is_on = d < a.features;
  const RowState<T> self = load_state(a.selves + i * a.stride), state = load_state(a.state + i * a.stride);
  const T self_weight = self.s, self_kept = self.top, self_plain = self.scale, self_slope = self.last;
  const bool keeps_plus = !signbit(state.last);
  // other: forward the kept branch, backward Σ κ w g.
  T sum[V] = {}, other[V] = {}, value[V];
  double of_D = 0;
  if (is_on) {
    load<V>(a.x + i * a.x_row + d, value);
    const T weight = backward ? self_weight * self_slope : self_kept;
#pragma unroll
    for (int v = 0; v < V; ++v) sum[v] = self_weight * value[v], other[v] = weight * value[v];
  }
  for (int c = 0; c < width; ++c) {
    const std::int64_t slot = i * width + c;
    const std::int32_t f = __ldg(a.tables.faces + slot);
    const std::int64_t place = __ldg(a.places + slot), begin = __ldg(a.tables.offsets + f),
                       end = __ldg(a.tables.offsets + f + 1);
    const T plain_up = __ldg(a.weights + 2 * slot), plain_down = __ldg(a.weights + 2 * slot + 1),
            factor = __ldg(a.factor + 2 * slot + a.which_factor), up = plain_up * factor,
            down = plain_down * factor;
    if (backward && a.packed && lane == 0) {
      if (place < end) of_D += plain_up * a.D_above[place];
      if (place > begin) of_D += a.slope * (plain_down * a.D_below[place - 1]);
    }
    if (!is_on) continue;
    if (place < end) {
      load<V>(a.above + place * a.features + d, value);
      const T second = backward ? up : keeps_plus ? up : T(0);
#pragma unroll
      for (int v = 0; v < V; ++v) sum[v] += up * value[v], other[v] += second * value[v];
    }
    if (place > begin) {
      load<V>(a.below + (place - 1) * a.features + d, value);
      const T second = backward ? a.slope * down : keeps_plus ? T(0) : down;
#pragma unroll
      for (int v = 0; v < V; ++v) sum[v] += down * value[v], other[v] += second * value[v];
    }
  }
  if constexpr (backward) {
    T dot = 0;
    if (is_on) {
      load<V>(a.dual + i * a.dual_row + d, value);
#pragma unroll
      for (int v = 0; v < V; ++v) dot += value[v] * other[v];
      store<V>(a.y + i * a.y_row + d, sum);
    }
    dot = group_sum<L>(group_mask<L>(), dot);
    if (lane != 0) return;
    if (a.packed) dot -= static_cast<T>(of_D) + self_plain * self_slope * a.packed[i * a.stride + 3];
    T& to = a.of_source[i * a.of_source_stride];
    to = a.add ? to + dot : dot;
  } else {
    if (!is_on) return;
    if (a.u) store<V>(a.u + i * a.u_row + d, other);
    if (a.tap) {
      load<V>(a.tap + i * a.tap_row + d, value);
      add_to<V>(sum, value);
    }
    store<V>(a.y + i * a.y_row + d, sum);
  }
}

// Four numbers of float or bfloat16 or two of double at a time, where every row begins at a multiple of them.
template <class S, class Run>
void with_slice_shape(int features, bool aligned, const Run& run) {
  constexpr int V = sizeof(S) == 8 ? 2 : 4;
  if (aligned && features % V == 0) return run(RowShape<V, star_slice / V>{});
  return run(RowShape<1, star_slice>{});
}

template <class S>
bool fits(const S* x, std::int64_t row) {
  constexpr int V = sizeof(S) == 8 ? 2 : 4;
  return x == nullptr || (reinterpret_cast<std::uintptr_t>(x) % (V * sizeof(S)) == 0 && row % V == 0);
}

}  // namespace

template <class S>
void launch_star_panels(const StarPanels<S>& a, Stream stream) {
  const std::int64_t blocks = star_blocks(a.tables.incidences);
  with_slice_shape<S>(a.features, fits(a.x, a.x_row), [&](auto shape) {
    constexpr int V = decltype(shape)::vector, L = decltype(shape)::lanes;
    block_sums_kernel<S, V, L><<<blocks_of<L>(blocks), block_threads, 0, stream>>>(a, blocks);
    panels_kernel<S, V, L><<<blocks_of<L>(blocks), block_threads, 0, stream>>>(a, blocks);
  });
}

template <class S>
void launch_star_rows(const StarRows<S>& a, Stream stream) {
  const bool aligned = fits(a.x, a.x_row) && fits(a.tap, a.tap_row) && fits(a.dual, a.dual_row) &&
                       fits(static_cast<const S*>(a.y), a.y_row) && fits(static_cast<const S*>(a.u), a.u_row);
  with_slice_shape<S>(a.features, aligned, [&](auto shape) {
    constexpr int V = decltype(shape)::vector, L = decltype(shape)::lanes;
    const unsigned blocks = blocks_of<L>(a.tables.simplices);
    if (a.of_source)
      rows_kernel<S, V, L, true><<<blocks, block_threads, 0, stream>>>(a);
    else
      rows_kernel<S, V, L, false><<<blocks, block_threads, 0, stream>>>(a);
  });
}

#define GSAN_FOR(S)                                               \
  template void launch_star_panels(const StarPanels<S>&, Stream); \
  template void launch_star_rows(const StarRows<S>&, Stream);
GSAN_FOR(float)
GSAN_FOR(double)
GSAN_FOR(Bf16)
#undef GSAN_FOR

}  // namespace gsan::ops::cuda
