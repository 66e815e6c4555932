// A block adds 32 columns of parts: 32 strands of every 32nd part each, then the strands in order.

#include "gsan/ops/cuda/partials.h"
#include "gsan/ops/cuda/rows.cuh"

namespace gsan::ops::cuda {
namespace {

constexpr int columns = 32, strands = 32;

template <class P, class R>
__global__ void __launch_bounds__(columns* strands)
    sum_parts_kernel(const P* parts, std::int64_t blocks, std::int64_t numbers, R* to) {
  __shared__ double sums[strands][columns];
  const int column = threadIdx.x % columns, strand = threadIdx.x / columns;
  const std::int64_t n = static_cast<std::int64_t>(blockIdx.x) * columns + column;
  double sum = 0;
  if (n < numbers) {
#pragma unroll 4
    for (std::int64_t b = strand; b < blocks; b += strands)
      sum += static_cast<double>(parts[b * numbers + n]);
  }
  sums[strand][column] = sum;
  __syncthreads();
  if (strand != 0 || n >= numbers) return;
  for (int s = 1; s < strands; ++s) sum += sums[s][column];
  narrow(static_cast<Compute<R>>(sum), to[n]);
}

}  // namespace

template <class P, class R>
void launch_sum_parts(const P* parts, std::int64_t blocks, std::int64_t numbers, R* to, Stream stream) {
  if (numbers == 0) return;
  const auto grid = static_cast<unsigned>((numbers + columns - 1) / columns);
  sum_parts_kernel<<<grid, columns * strands, 0, stream>>>(parts, blocks, numbers, to);
}

template void launch_sum_parts(const float*, std::int64_t, std::int64_t, float*, Stream);
template void launch_sum_parts(const float*, std::int64_t, std::int64_t, Bf16*, Stream);
template void launch_sum_parts(const double*, std::int64_t, std::int64_t, float*, Stream);
template void launch_sum_parts(const double*, std::int64_t, std::int64_t, double*, Stream);

}  // namespace gsan::ops::cuda
