#pragma once
// Weighted sums of the rows of neighbours, with two weights each, by a group of threads: a neighbour is made
// by one thread and read by all of its group.

#include "gsan/ops/cuda/attention/pair_attention_kernels.h"
#include "gsan/ops/cuda/rows.cuh"

namespace gsan::ops::cuda {

template <class T>
struct Neighbor {
  std::int32_t row = 0;
  T weight = 0, other = 0;
};

enum class Weights { one, two };

/// Rows on their way at the same time.
template <int L>
constexpr int batch_size = L < 4 ? L : 4;

/// sum += weight · x, other += second weight · x over the neighbours of the first `count` ≥ 1 threads of the
/// group, in their order; threads beyond hold one with zero weights. `x` is at the features of the calling
/// thread.
template <class S, int V, int L, Weights weights>
__device__ __forceinline__ void gather(const Neighbor<Compute<S>>& mine, int count, unsigned mask, const S* x,
                                       int x_row, Compute<S> (&sum)[V], Compute<S> (&other)[V]) {
  using T = Compute<S>;
  constexpr int size = batch_size<L>;
#pragma unroll
  for (int first = 0; first < L; first += size) {
    if (first >= count) break;
    Pack<S, V> value[size];
#pragma unroll
    for (int a = 0; a < size; ++a) {
      const std::int32_t row = __shfl_sync(mask, mine.row, first + a, L);
      load<V>(x + static_cast<std::int64_t>(row) * x_row, value[a]);
    }
#pragma unroll
    for (int a = 0; a < size; ++a) {
      const T weight = __shfl_sync(mask, mine.weight, first + a, L);
      T second = 0;
      if constexpr (weights == Weights::two) second = __shfl_sync(mask, mine.other, first + a, L);
#pragma unroll
      for (int v = 0; v < V; ++v) {
        const T number = widen(value[a].number[v]);
        sum[v] += weight * number;
        if constexpr (weights == Weights::two) other[v] += second * number;
      }
    }
  }
}

/// The numbers {s, M, 1/Z, zu or D} of a row and head.
template <class T>
struct RowState {
  T s, top, scale, last;
};
__device__ __forceinline__ RowState<float> load_state(const float* from) {
  const float4 f = __ldg(reinterpret_cast<const float4*>(from));
  return {f.x, f.y, f.z, f.w};
}
__device__ __forceinline__ RowState<double> load_state(const double* from) {
  const double2 a = __ldg(reinterpret_cast<const double2*>(from)),
                b = __ldg(reinterpret_cast<const double2*>(from) + 1);
  return {a.x, a.y, b.x, b.y};
}
__device__ __forceinline__ void store_state(float* to, const RowState<float>& r) {
  *reinterpret_cast<float4*>(to) = make_float4(r.s, r.top, r.scale, r.last);
}
__device__ __forceinline__ void store_state(double* to, const RowState<double>& r) {
  *reinterpret_cast<double2*>(to) = make_double2(r.s, r.top);
  *(reinterpret_cast<double2*>(to) + 1) = make_double2(r.scale, r.last);
}

__device__ __forceinline__ float exponential(float x) { return expf(x); }
__device__ __forceinline__ double exponential(double x) { return exp(x); }

template <class T>
__device__ __forceinline__ T leaky(T x, T slope) {
  return x > 0 ? x : slope * x;
}
template <class T>
__device__ __forceinline__ T sigmoid_of(T x) {
  return T(1) / (T(1) + exponential(-x));
}

/// Mask times sign of pair e, whose factor in the mask is that of pair `masked`.
template <class S>
__device__ __forceinline__ Compute<S> factor_of(const AttentionPairs<S>& list, std::int64_t e,
                                                std::int64_t masked, std::int64_t signal, int h) {
  Compute<S> factor = 1;
  if (list.signs) factor = list.signs[e];
  if (list.mask) factor *= list.mask[(signal * list.pairs + masked) * list.heads + h];
  return factor;
}

/// Largest score of a row above which a bound of it may be.
template <class T>
constexpr T far_above = T(40);

/// Which row, signal and head a group owns.
struct Item {
  std::int64_t number, signal = 0, row;
  int head = 0;
  template <class Sizes>
  __device__ Item(std::int64_t item, const Sizes& a) : number(item), row(item) {
    if (a.heads > 1) {
      head = static_cast<int>(row % a.heads);
      row /= a.heads;
    }
    if (a.signals > 1) {
      signal = row / a.rows;
      row %= a.rows;
    }
  }
};

/// The pairs of a row.
struct PairRange {
  std::int64_t begin;
  int degree;
  template <class S>
  __device__ PairRange(const AttentionPairs<S>& list, std::int64_t row)
      : begin(__ldg(list.offsets + row)), degree(static_cast<int>(__ldg(list.offsets + row + 1) - begin)) {}
};

/// Rows of many pairs are left to whole blocks (visit_heavy), where the list may have any.
template <class S>
__device__ __forceinline__ bool is_heavy(const AttentionPairs<S>& list, int degree) {
  return list.has_heavy && degree > heavy_degree;
}

/// Calls visit(item, range) with every heavy row and head, by all threads of a block together.
template <class S, class Visit>
__device__ void visit_heavy(const AttentionPairs<S>& list, const Visit& visit) {
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * block_threads; first < list.rows;
       first += static_cast<std::int64_t>(gridDim.x) * block_threads) {
    const std::int64_t own = first + threadIdx.x;
    const bool found = own < list.rows && is_heavy(list, PairRange(list, own).degree);
    if (!__syncthreads_or(found)) continue;
    for (std::int64_t i = first; i < first + block_threads && i < list.rows; ++i) {
      const PairRange range(list, i);
      if (!is_heavy(list, range.degree)) continue;
      for (std::int64_t s = 0; s < list.signals; ++s)
        for (int h = 0; h < list.heads; ++h) visit(Item((s * list.rows + i) * list.heads + h, list), range);
    }
  }
}
constexpr unsigned heavy_blocks = 264;

/// Adds up what the groups of a block hold, in the order of the groups; all threads must call it. The result
/// is right in the threads of the first group. `room` has block_threads · n numbers.
template <int L, int n, class T>
__device__ __forceinline__ void block_sum(T (&x)[n], T* room) {
  __syncthreads();
#pragma unroll
  for (int k = 0; k < n; ++k) room[k * block_threads + threadIdx.x] = x[k];
  __syncthreads();
  if (threadIdx.x >= L) return;
#pragma unroll
  for (int k = 0; k < n; ++k) {
    T sum = 0;
    for (int group = 0; group < block_threads / L; ++group)
      sum += room[k * block_threads + group * L + threadIdx.x];
    x[k] = sum;
  }
}

/// The shape of a group for heavy rows: some for all widths.
template <class S, class Run>
void with_heavy_shape(std::int64_t features, bool aligned, const Run& run) {
  constexpr int V = 16 / static_cast<int>(sizeof(S));
  if (!aligned || features % V != 0) return run(RowShape<1, 8>{});
  return run(RowShape<V, 8>{});
}

}  // namespace gsan::ops::cuda
