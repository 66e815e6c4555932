// The largest number of each column: of parts of the rows, then of the parts.

#include "gsan/ops/cuda/attention/pair_attention_kernels.h"
#include "gsan/ops/cuda/rows.cuh"

namespace gsan::ops::cuda {
namespace {

template <class T>
__device__ __forceinline__ T block_largest(T top) {
  __shared__ T of_warps[block_threads / 32];
  top = group_max<32>(0xffffffffu, top);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = top;
  __syncthreads();
  for (int warp = 0; warp < block_threads / 32; ++warp) top = of_warps[warp] > top ? of_warps[warp] : top;
  return top;
}

// Block (column, part); a column is a signal and head.
template <class T>
__global__ void __launch_bounds__(block_threads)
    parts_kernel(const Rows<const T> t, std::int64_t rows, int heads, int parts, T* to) {
  const int column = static_cast<int>(blockIdx.x) / parts, part = static_cast<int>(blockIdx.x) % parts;
  const T* const from = t.data + column / heads * t.signal + column % heads;
  T top = -INFINITY;
  for (std::int64_t i = static_cast<std::int64_t>(part) * block_threads + threadIdx.x; i < rows;
       i += static_cast<std::int64_t>(parts) * block_threads) {
    const T x = __ldg(from + i * t.row);
    top = x > top ? x : top;
  }
  top = block_largest(top);
  if (threadIdx.x == 0) to[blockIdx.x] = top;
}

template <class T>
__global__ void __launch_bounds__(block_threads) join_kernel(const T* of_parts, int parts, T* tops) {
  T top = -INFINITY;
  for (int part = static_cast<int>(threadIdx.x); part < parts; part += block_threads) {
    const T x = of_parts[static_cast<std::int64_t>(blockIdx.x) * parts + part];
    top = x > top ? x : top;
  }
  top = block_largest(top);
  if (threadIdx.x == 0) tops[blockIdx.x] = top;
}

}  // namespace

template <class T>
void launch_largest(const Rows<const T>& t, std::int64_t signals, std::int64_t rows, int heads, T* tops,
                    T* room, Stream stream) {
  const std::int64_t columns = signals * heads, wanted = (rows + 4095) / 4096;
  const int parts = static_cast<int>(wanted < most_parts ? wanted : most_parts);
  parts_kernel<T>
      <<<static_cast<unsigned>(columns * parts), block_threads, 0, stream>>>(t, rows, heads, parts, room);
  join_kernel<T><<<static_cast<unsigned>(columns), block_threads, 0, stream>>>(room, parts, tops);
}

template void launch_largest(const Rows<const float>&, std::int64_t, std::int64_t, int, float*, float*,
                             Stream);
template void launch_largest(const Rows<const double>&, std::int64_t, std::int64_t, int, double*, double*,
                             Stream);

}  // namespace gsan::ops::cuda
