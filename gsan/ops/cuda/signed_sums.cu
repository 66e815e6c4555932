// A group of threads owns one group of features of one row and adds its entries in the order of the list.

#include "gsan/ops/cuda/rows.cuh"
#include "gsan/ops/cuda/signed_sums.h"

namespace gsan::ops::cuda {
namespace {

// Entries whose rows are on their way at the same time.
constexpr int ahead = 4;

template <class S, int V>
__device__ __forceinline__ void add_list(const SignedList& list, std::int64_t i, const S* x,
                                         std::int64_t x_row, const S* factors, int groups, bool absolute,
                                         Compute<S> (&sum)[V]) {
  using T = Compute<S>;
  const std::int64_t begin = list.width ? i * list.width : __ldg(list.offsets + i);
  const int count = list.width ? list.width : static_cast<int>(__ldg(list.offsets + i + 1) - begin);
  for (int first = 0; first < count; first += ahead) {
    std::int64_t entry[ahead];
    T weight[ahead];
    Pack<S, V> value[ahead];
#pragma unroll
    for (int a = 0; a < ahead; ++a) {
      if (first + a >= count) continue;
      entry[a] = __ldg(list.entries + begin + first + a);
      const int column = list.width ? first + a : __ldg(list.columns + begin + first + a);
      weight[a] = !absolute && column % 2 ? T(-1) : T(1);
    }
#pragma unroll
    for (int a = 0; a < ahead; ++a) {
      if (first + a >= count) continue;
      load<V>(x + entry[a] * x_row, value[a]);
      if (factors) weight[a] *= widen(factors[entry[a] * groups]);
    }
#pragma unroll
    for (int a = 0; a < ahead; ++a) {
      if (first + a >= count) continue;
#pragma unroll
      for (int v = 0; v < V; ++v) sum[v] += weight[a] * widen(value[a].number[v]);
    }
  }
}

template <class S>
__device__ __forceinline__ Compute<S> number(const RowNumbers<S>& of, double common, std::int64_t signal,
                                             std::int64_t i, int groups, int h) {
  const Compute<S> factor = static_cast<Compute<S>>(common);
  return of.data ? factor * widen(of.data[signal * of.signal + i * of.row * groups + h]) : factor;
}

template <class S, int V, int L>
__global__ void __launch_bounds__(block_threads, 4) signed_sums_kernel(const SignedSums<S> a) {
  using T = Compute<S>;
  const std::int64_t item = (static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x) / L;
  if (item >= a.signals * a.rows * a.groups) return;
  const int lane = threadIdx.x % L, width = a.features / a.groups;
  int h = 0;
  std::int64_t i = item, s = 0;  // divisions of 64 bits are long: there is mostly one group and one signal
  if (a.groups > 1) h = static_cast<int>(i % a.groups), i /= a.groups;
  if (a.signals > 1) s = i / a.rows, i %= a.rows;
  const T beta = number(a.beta, a.common_beta, s, i, a.groups, h);
  const S* const factors = a.x_factors.data ? a.x_factors.data + s * a.x_factors.signal + h : nullptr;
  T dot = 0;
  for (int c = lane * V; c < width; c += L * V) {
    const int d = h * width + c;
    T sum[V] = {};
    if (a.x.data)
      add_list<S, V>(a.list, i, a.x.data + s * a.x.signal + d, a.x.row, factors, a.groups, a.absolute, sum);
    if (a.second_x.data)
      add_list<S, V>(a.second, i, a.second_x.data + s * a.second_x.signal + d, a.second_x.row, nullptr, 1,
                     a.absolute, sum);
    T value[V];
    if (a.other.data) {
      load<V>(a.other.data + s * a.other.signal + i * a.other.row + d, value);
#pragma unroll
      for (int v = 0; v < V; ++v) dot += value[v] * sum[v];
    }
    if (!a.y.data) continue;
#pragma unroll
    for (int v = 0; v < V; ++v) sum[v] *= beta;
    if (a.own.data) {
      const T alpha = number(a.alpha, a.common_alpha, s, i, a.groups, h);
      load<V>(a.own.data + s * a.own.signal + i * a.own.row + d, value);
#pragma unroll
      for (int v = 0; v < V; ++v) sum[v] += alpha * value[v];
    }
    if (a.base.data) {
      load<V>(a.base.data + s * a.base.signal + i * a.base.row + d, value);
#pragma unroll
      for (int v = 0; v < V; ++v) sum[v] += value[v];
    }
    store<V>(a.y.data + s * a.y.signal + i * a.y.row + d, sum);
  }
  if (!a.other.data) return;
  dot = group_sum<L>(group_mask<L>(), dot);
  if (lane == 0) narrow(dot, a.dots[(s * a.rows + i) * a.groups + h]);
}

}  // namespace

template <class S>
void launch_signed_sums(const SignedSums<S>& a, Stream stream) {
  const std::int64_t items = a.signals * a.rows * a.groups, width = a.features / a.groups;
  if (items == 0 || width == 0) return;
  const auto fits = [](const Rows<const S>& x) { return x.data == nullptr || is_aligned(x); };
  const bool aligned = fits(a.x) && fits(a.second_x) && fits(a.own) && fits(a.base) && fits(a.other) &&
                       (a.y.data == nullptr || is_aligned(a.y));
  with_looping_shape<S>(width, aligned, [&](auto shape) {
    constexpr int V = decltype(shape)::vector, L = decltype(shape)::lanes;
    signed_sums_kernel<S, V, L><<<blocks_of<L>(items), block_threads, 0, stream>>>(a);
  });
}

template void launch_signed_sums(const SignedSums<float>&, Stream);
template void launch_signed_sums(const SignedSums<double>&, Stream);
template void launch_signed_sums(const SignedSums<Bf16>&, Stream);

}  // namespace gsan::ops::cuda
