#pragma once
// Sums of many threads in an order that the shapes alone fix.

#include "gsan/ops/cuda/rows.cuh"

namespace gsan::ops::cuda {

constexpr int block_warps = block_threads / 32;

/// U numbers per thread, each summed over the group of L: after the call a thread has the sums of the numbers
/// first_of_sums<L, U>() … + sums_per_thread<L, U> − 1 in the beginning of x. Takes about U + log L shuffles
/// instead of U log L. U and L are powers of two.
template <int L, int U>
constexpr int sums_per_thread = U > L ? U / L : 1;

template <int L, int U>
__device__ __forceinline__ int first_of_sums() {
  const int lane = threadIdx.x % L;
  return U > L ? lane * (U / L) : lane / (L / U);
}

template <int L, int U, class T>
__device__ __forceinline__ void group_sums(unsigned mask, T (&x)[U]) {
  int lane = threadIdx.x % L;
#pragma unroll
  for (int other = L / 2, left = U; other > 0; other /= 2) {
    if (left > 1) {
      left /= 2;
      const bool upper = (lane & other) != 0;
#pragma unroll
      for (int u = 0; u < U / 2; ++u) {
        if (u >= left) continue;
        const T sent = upper ? x[u] : x[u + left], kept = upper ? x[u + left] : x[u];
        x[u] = kept + __shfl_xor_sync(mask, sent, other, L);
      }
    } else {
      x[0] += __shfl_xor_sync(mask, x[0], other, L);
    }
  }
}

/// Σ over the threads of the block with the same lane of their group of L, valid in the first group.
/// `shared` holds a number per thread and may be used again after the call.
template <int L, class T>
__device__ __forceinline__ T sum_of_groups(T* shared, T x) {
  shared[threadIdx.x] = x;
  __syncthreads();
#pragma unroll
  for (int half = block_threads / 2; half >= L; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  const T sum = shared[threadIdx.x % L];
  __syncthreads();
  return sum;
}

}  // namespace gsan::ops::cuda
