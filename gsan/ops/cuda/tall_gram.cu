// Tiles of rows pass through shared memory. A thread holds 4 × 4 numbers of the result; where fewer threads
// than a block has cover the result, strands of threads share the rows of a tile and are added in order.

#include "gsan/ops/cuda/rows.cuh"
#include "gsan/ops/cuda/tall_gram.h"

namespace gsan::ops::cuda {
namespace {

constexpr int tile_rows = 32, side = 4;

// Four numbers of a row, zeros behind its end.
template <class S>
__device__ __forceinline__ void load_four(const S* row, int begin, int columns, bool whole,
                                          Compute<S> (&to)[4]) {
  constexpr int V = sizeof(S) == 8 ? 2 : 4;
  if (whole && begin < columns) {
#pragma unroll
    for (int v = 0; v < 4; v += V) {
      Compute<S> some[V];
      load<V>(row + begin + v, some);
#pragma unroll
      for (int n = 0; n < V; ++n) to[v + n] = some[n];
    }
    return;
  }
#pragma unroll
  for (int v = 0; v < 4; ++v) to[v] = begin + v < columns ? widen(row[begin + v]) : Compute<S>(0);
}

// A tile of a matrix on its way from memory, in registers, to shared memory.
template <class S, int W>
struct Tile {
  static constexpr int count = tile_rows * W / 4 / block_threads;
  using T = Compute<S>;
  T held[count][4];

  __device__ __forceinline__ void fetch(const S* x, std::int64_t row, std::int64_t last, int begin,
                                        int columns) {
#pragma unroll
    for (int n = 0; n < count; ++n) {
      const int i = n * block_threads + static_cast<int>(threadIdx.x);
      const std::int64_t r = row + i / (W / 4);
      if (r < last) {
        load_four(x + r * columns, begin + i % (W / 4) * 4, columns, columns % 4 == 0, held[n]);
      } else {
#pragma unroll
        for (int v = 0; v < 4; ++v) held[n][v] = 0;
      }
    }
  }
  __device__ __forceinline__ void put(T* shared) const {
#pragma unroll
    for (int n = 0; n < count; ++n) {
#pragma unroll
      for (int v = 0; v < 4; ++v) shared[(n * block_threads + threadIdx.x) * 4 + v] = held[n][v];
    }
  }
};

template <class S, class Y, int KT, int CT>
__global__ void __launch_bounds__(block_threads)
    tall_gram_kernel(const S* x, const Y* y, Compute<S>* parts, std::int64_t rows, std::int64_t length, int K,
                     int C, int k_tiles, int c_tiles) {
  using T = Compute<S>;
  constexpr int wide = CT / side, threads = KT / side * wide, strands = block_threads / threads;
  static_assert(tile_rows * (KT + CT) >= KT * CT || strands == 1,
                "the strands meet in the memory of the tiles");
  __shared__ __align__(16) T shared[tile_rows * (KT + CT)];
  T *of_x = shared, *of_y = shared + tile_rows * KT;
  const int tile = static_cast<int>(blockIdx.x % (k_tiles * c_tiles));
  const std::int64_t block = blockIdx.x / (k_tiles * c_tiles);
  const int first_k = tile / c_tiles * KT, first_c = tile % c_tiles * CT;
  const int strand = threadIdx.x / threads, k = threadIdx.x % threads / wide * side,
            c = threadIdx.x % wide * side;
  const std::int64_t last = (block + 1) * length < rows ? (block + 1) * length : rows;
  T sums[side][side] = {};
  Tile<S, KT> next_x;
  Tile<Y, CT> next_y;
  std::int64_t row = block * length;
  next_x.fetch(x, row, last, first_k, K), next_y.fetch(y, row, last, first_c, C);
  while (row < last) {
    next_x.put(of_x), next_y.put(of_y);
    __syncthreads();
    row += tile_rows;
    next_x.fetch(x, row, last, first_k, K), next_y.fetch(y, row, last, first_c, C);
#pragma unroll 4
    for (int r = strand; r < tile_rows; r += strands) {
      T a[side], b[side];
#pragma unroll
      for (int v = 0; v < side; ++v) a[v] = of_x[r * KT + k + v], b[v] = of_y[r * CT + c + v];
#pragma unroll
      for (int i = 0; i < side; ++i) {
#pragma unroll
        for (int j = 0; j < side; ++j) sums[i][j] += a[i] * b[j];
      }
    }
    __syncthreads();
  }
  for (int s = 1; s < strands; ++s) {
    if (strand == s) {
#pragma unroll
      for (int i = 0; i < side * side; ++i)
        shared[(k + i / side) * CT + c + i % side] = sums[i / side][i % side];
    }
    __syncthreads();
    if (strand == 0) {
#pragma unroll
      for (int i = 0; i < side * side; ++i)
        sums[i / side][i % side] += shared[(k + i / side) * CT + c + i % side];
    }
    __syncthreads();
  }
  if (strand != 0) return;
#pragma unroll
  for (int i = 0; i < side; ++i) {
#pragma unroll
    for (int j = 0; j < side; ++j) {
      const int to_k = first_k + k + i, to_c = first_c + c + j;
      if (to_k < K && to_c < C) parts[(block * K + to_k) * C + to_c] = sums[i][j];
    }
  }
}

template <class S, class Y, int KT, int CT>
void launch(const S* x, const Y* y, Compute<S>* parts, std::int64_t rows, int K, int C, Stream stream) {
  const RowBlocks blocks = tall_blocks(rows);
  const int k_tiles = (K + KT - 1) / KT, c_tiles = (C + CT - 1) / CT;
  tall_gram_kernel<S, Y, KT, CT>
      <<<static_cast<unsigned>(blocks.count * k_tiles * c_tiles), block_threads, 0, stream>>>(
          x, y, parts, rows, blocks.length, K, C, k_tiles, c_tiles);
}

}  // namespace

template <class S, class Y>
void launch_tall_gram(const S* x, const Y* y, Compute<S>* parts, std::int64_t rows, int K, int C,
                      Stream stream) {
  if (rows == 0 || K == 0 || C == 0) return;
  if (K <= 32 && C <= 32) return launch<S, Y, 32, 32>(x, y, parts, rows, K, C, stream);
  if (K <= 32) return launch<S, Y, 32, 64>(x, y, parts, rows, K, C, stream);
  if (C <= 32) return launch<S, Y, 64, 32>(x, y, parts, rows, K, C, stream);
  launch<S, Y, 64, 64>(x, y, parts, rows, K, C, stream);
}

template void launch_tall_gram(const float*, const float*, float*, std::int64_t, int, int, Stream);
template void launch_tall_gram(const double*, const double*, double*, std::int64_t, int, int, Stream);
template void launch_tall_gram(const Bf16*, const float*, float*, std::int64_t, int, int, Stream);
template void launch_tall_gram(const Bf16*, const Bf16*, float*, std::int64_t, int, int, Stream);

}  // namespace gsan::ops::cuda
