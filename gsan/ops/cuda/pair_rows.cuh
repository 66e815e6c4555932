#pragma once
// Rows of a pair list on the device.

#include "gsan/ops/cuda/pairs.h"
#include "gsan/ops/cuda/reductions.cuh"

namespace gsan::ops::cuda {

constexpr int heavy_pairs = 512;
constexpr int pairs_at_a_time = 4;  // whose rows are on their way at the same time

/// The `count` pairs of a row from `first` on. A thread takes pairs_at_a_time of them from first + start on,
/// then every `step`.
struct PairSpan {
  std::int64_t first;
  int count;
  __device__ __forceinline__ PairSpan(const PairList& list, std::int64_t row)
      : first(__ldg(list.offsets + row)), count(static_cast<int>(__ldg(list.offsets + row + 1) - first)) {}
  __device__ __forceinline__ bool heavy() const { return count > heavy_pairs; }
};

/// Row and signal of the number of a row of all signals.
struct RowPlace {
  std::int64_t signal, row;
  __device__ __forceinline__ RowPlace(const PairList& list, std::int64_t number)
      : signal(list.signals == 1 ? 0 : number / list.rows), row(number - signal * list.rows) {}
};

__device__ __forceinline__ std::int64_t mirrored(const PairList& list, std::int64_t e) {
  return list.mirror ? static_cast<std::int64_t>(__ldg(list.mirror + e)) : __ldg(list.wide_mirror + e);
}

/// Zeros for the pairs behind the last offset, [signals, pairs, heads], by all threads of the grid.
template <class T>
__device__ __forceinline__ void clear_last_pairs(const PairList& list, T* y) {
  const std::int64_t end = __ldg(list.offsets + list.rows), count = (list.pairs - end) * list.heads;
  for (std::int64_t s = 0; s < list.signals && count > 0; ++s) {
    T* to = y + (s * list.pairs + end) * list.heads;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x; i < count;
         i += static_cast<std::int64_t>(gridDim.x) * block_threads)
      to[i] = 0;
  }
}

}  // namespace gsan::ops::cuda
