// A group of threads owns a row of x, and each of them a few features of every row that falls to it and their
// products with all columns of y. A block adds its rows and leaves one part.

#include "gsan/ops/cuda/narrow_products.h"
#include "gsan/ops/cuda/reductions.cuh"

namespace gsan::ops::cuda {
namespace {

// N columns, of which C are there.
template <class T, int N>
__device__ __forceinline__ void load_columns(const T* from, int C, T (&to)[N]) {
  constexpr int most = 16 / static_cast<int>(sizeof(T)), at_a_time = N < most ? N : most;
  if (C == N) {
#pragma unroll
    for (int c = 0; c < N; c += at_a_time) {
      T some[at_a_time];
      load<at_a_time>(from + c, some);
#pragma unroll
      for (int a = 0; a < at_a_time; ++a) to[c + a] = some[a];
    }
    return;
  }
#pragma unroll
  for (int c = 0; c < N; ++c) to[c] = c < C ? __ldg(from + c) : T(0);
}

template <class S, int V, int L, int N>
__global__ void __launch_bounds__(block_threads, 1)
    gram_kernel(const S* x, const Compute<S>* y, Compute<S>* parts, std::int64_t rows, std::int64_t length,
                int K, int C, int pieces) {
  using T = Compute<S>;
  constexpr int groups = block_threads / L, ahead = N > 2 ? 2 : 4;  // rows on their way at the same time
  __shared__ T shared[block_warps][L * V];
  const std::int64_t block = blockIdx.x / pieces;
  const int begin = static_cast<int>(blockIdx.x % pieces) * L * V, lane = threadIdx.x % L,
            k = begin + lane * V;
  const std::int64_t last = (block + 1) * length < rows ? (block + 1) * length : rows;
  T sums[N][V] = {};
  if (k < K) {
    for (std::int64_t row = block * length + threadIdx.x / L; row < last; row += ahead * groups) {
      T numbers[ahead][V], others[ahead][N];
#pragma unroll
      for (int a = 0; a < ahead; ++a) {
        if (row + a * groups >= last) continue;
        load<V>(x + (row + a * groups) * K + k, numbers[a]);
        load_columns<T, N>(y + (row + a * groups) * C, C, others[a]);
      }
#pragma unroll
      for (int a = 0; a < ahead; ++a) {
        if (row + a * groups >= last) continue;
#pragma unroll
        for (int c = 0; c < N; ++c) {
#pragma unroll
          for (int v = 0; v < V; ++v) sums[c][v] += numbers[a][v] * others[a][c];
        }
      }
    }
  }
  const int warp = threadIdx.x / 32, place = threadIdx.x % 32;
#pragma unroll
  for (int c = 0; c < N; ++c) {
#pragma unroll
    for (int v = 0; v < V; ++v) {
      T sum = sums[c][v];
#pragma unroll
      for (int other = 16; other >= L; other /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, other);
      if (place < L) shared[warp][place * V + v] = sum;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < L * V; i += block_threads) {
      if (c >= C || begin + i >= K) continue;
      T sum = shared[0][i];
#pragma unroll
      for (int w = 1; w < block_warps; ++w) sum += shared[w][i];
      parts[(block * K + begin + i) * C + c] = sum;
    }
    __syncthreads();
  }
}

}  // namespace

template <class S>
void launch_narrow_gram(const S* x, const Compute<S>* y, Compute<S>* parts, std::int64_t rows, int K, int C,
                        Stream stream) {
  const RowBlocks blocks = gram_blocks(rows);
  if (blocks.count == 0 || K == 0 || C == 0) return;
  with_row_shape<S>(K, true, [&](auto shape) {
    constexpr int V = decltype(shape)::vector, L = decltype(shape)::lanes;
    const int pieces = (K + L * V - 1) / (L * V);
    const auto grid = static_cast<unsigned>(blocks.count * pieces);
    const auto run = [&](auto columns) {
      constexpr int N = decltype(columns)::vector;
      gram_kernel<S, V, L, N>
          <<<grid, block_threads, 0, stream>>>(x, y, parts, rows, blocks.length, K, C, pieces);
    };
    if (C <= 2) return run(RowShape<2, 1>{});
    run(RowShape<8, 1>{});
  });
}

template void launch_narrow_gram(const float*, const float*, float*, std::int64_t, int, int, Stream);
template void launch_narrow_gram(const double*, const double*, double*, std::int64_t, int, int, Stream);
template void launch_narrow_gram(const Bf16*, const float*, float*, std::int64_t, int, int, Stream);

}  // namespace gsan::ops::cuda
