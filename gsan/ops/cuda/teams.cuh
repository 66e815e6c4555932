#pragma once
// Threads that walk the rows of a segment together: a group of neighbouring threads, or the threads of a
// block that have the same column. A team sums in one fixed order.

#include "gsan/ops/cuda/reductions.cuh"

namespace gsan::ops::cuda {

/// Whether (b, at row s) takes the place of (a, at row r) as the first largest; a NaN counts as largest, a
/// negative row as nothing.
template <class T>
__device__ __forceinline__ bool replaces(T a, std::int64_t r, T b, std::int64_t s) {
  if (s < 0 || r < 0) return r < 0 && s >= 0;
  const bool a_is_none = a != a, b_is_none = b != b;
  if (a_is_none != b_is_none) return b_is_none;
  if (!a_is_none && a != b) return b > a;
  return s < r;
}

template <int L>
struct GroupTeam {
  static constexpr int size = L;
  int rank = threadIdx.x % L;
  unsigned mask = group_mask<L>();

  __device__ __forceinline__ double sum(double x) const { return group_sum<L>(mask, x); }
  template <class T>
  __device__ __forceinline__ T max(T x) const {
    return group_max<L>(mask, x);
  }
  template <class T>
  __device__ __forceinline__ void best(T& value, std::int64_t& row) const {
#pragma unroll
    for (int other = L / 2; other > 0; other /= 2) {
      const T its = __shfl_xor_sync(mask, value, other, L);
      const long long at = __shfl_xor_sync(mask, static_cast<long long>(row), other, L);
      if (replaces(value, row, its, static_cast<std::int64_t>(at))) value = its, row = at;
    }
  }
};

/// The threads of a block whose number has the same remainder by `columns`. All threads of the block call.
template <int columns>
struct BlockTeam {
  static constexpr int size = block_threads / columns;
  double* shared;  ///< [2][block_threads]
  int rank = threadIdx.x / columns;

  __device__ explicit BlockTeam(double* memory) : shared(memory) {}
  __device__ __forceinline__ double sum(double x) const { return sum_of_groups<columns>(shared, x); }
  template <class T>
  __device__ __forceinline__ T max(T x) const {
    T* values = reinterpret_cast<T*>(shared);
    values[threadIdx.x] = x;
    __syncthreads();
    for (int half = block_threads / 2; half >= columns; half /= 2) {
      if (threadIdx.x < half && values[threadIdx.x + half] > values[threadIdx.x])
        values[threadIdx.x] = values[threadIdx.x + half];
      __syncthreads();
    }
    const T largest = values[threadIdx.x % columns];
    __syncthreads();
    return largest;
  }
  template <class T>
  __device__ __forceinline__ void best(T& value, std::int64_t& row) const {
    T* values = reinterpret_cast<T*>(shared);
    std::int64_t* rows = reinterpret_cast<std::int64_t*>(shared + block_threads);
    values[threadIdx.x] = value, rows[threadIdx.x] = row;
    __syncthreads();
    for (int half = block_threads / 2; half >= columns; half /= 2) {
      const int me = threadIdx.x, other = me + half;
      if (me < half && replaces(values[me], rows[me], values[other], rows[other]))
        values[me] = values[other], rows[me] = rows[other];
      __syncthreads();
    }
    value = values[threadIdx.x % columns], row = rows[threadIdx.x % columns];
    __syncthreads();
  }
};

}  // namespace gsan::ops::cuda
