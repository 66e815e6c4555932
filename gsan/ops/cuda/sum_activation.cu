// Forward a thread owns 16 bytes of the result. Backward a group of threads owns a row and adds the columns
// of all rows that fall to it; a block leaves one part.

#include "gsan/ops/cuda/activations.cuh"
#include "gsan/ops/cuda/reductions.cuh"
#include "gsan/ops/cuda/sum_activation.h"

namespace gsan::ops::cuda {
namespace {

template <int V, class T>
__device__ __forceinline__ void add(const T (&x)[V], T (&sum)[V]) {
#pragma unroll
  for (int v = 0; v < V; ++v) sum[v] += x[v];
}

// V numbers of the type of sums, of which 16 bytes may hold fewer.
template <int V, class T>
__device__ __forceinline__ void move(const T* from, T (&to)[V]) {
#pragma unroll
  for (int v = 0; v < V; ++v) to[v] = from[v];
}

template <class S, int V>
__global__ void __launch_bounds__(block_threads) sum_kernel(const SumOfTerms<S> a, std::int64_t items) {
  using T = Compute<S>;
  const int pieces = a.columns / V;
  for (std::int64_t item = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x; item < items;
       item += static_cast<std::int64_t>(gridDim.x) * block_threads) {
    const std::int64_t row = item / pieces, signal = a.signals == 1 ? 0 : row / a.rows,
                       i = row - signal * a.rows;
    const int column = static_cast<int>(item - row * pieces) * V;
    T sum[V], other[V];
    int t = 0;
    if (a.before)
      move(a.before + item * V, sum);
    else
      load<V>(a.terms[t].data + signal * a.terms[t].signal + i * a.terms[t].row + column, sum), ++t;
#pragma unroll 4
    for (; t < a.count; ++t) {
      load<V>(a.terms[t].data + signal * a.terms[t].signal + i * a.terms[t].row + column, other);
      add(other, sum);
    }
    if (a.after) {
#pragma unroll
      for (int v = 0; v < V; ++v) a.after[item * V + v] = sum[v];
      continue;
    }
    if (a.bias) load<V>(a.bias + column, other), add(other, sum);
    if (a.wide_bias) move(a.wide_bias + column, other), add(other, sum);
    activate(a.activation, sum);
    store<V>(a.y + item * V, sum);
  }
}

template <class S, int V, int L>
__global__ void __launch_bounds__(block_threads)
    gradient_kernel(const ActivationGradient<S> a, std::int64_t length, int tiles) {
  using T = Compute<S>;
  constexpr int groups = block_threads / L, ahead = V > 4 ? 2 : 4;
  __shared__ double shared[block_warps][L * V];
  const std::int64_t block = blockIdx.x / tiles, rows = a.signals * a.rows;
  const std::int64_t last = (block + 1) * length < rows ? (block + 1) * length : rows;
  const int begin = static_cast<int>(blockIdx.x % tiles) * L * V, column = begin + threadIdx.x % L * V;
  T sums[V] = {};
  if (column < a.columns) {
    for (std::int64_t row = block * length + threadIdx.x / L; row < last; row += ahead * groups) {
      T g[ahead][V], y[ahead][V];
#pragma unroll
      for (int n = 0; n < ahead; ++n) {
        const std::int64_t r = row + n * groups;
        if (r >= last) continue;
        const std::int64_t signal = a.signals == 1 ? 0 : r / a.rows, i = r - signal * a.rows;
        load<V>(a.g.data + signal * a.g.signal + i * a.g.row + column, g[n]);
        load<V>(a.y.data + signal * a.y.signal + i * a.y.row + column, y[n]);
      }
#pragma unroll
      for (int n = 0; n < ahead; ++n) {
        const std::int64_t r = row + n * groups;
        if (r >= last) continue;
        multiply_slopes(a.activation, y[n], g[n]);
        add(g[n], sums);
        store<V>(a.to + r * a.columns + column, g[n]);
      }
    }
  }
  if (!a.parts) return;
  const int warp = threadIdx.x / 32, place = threadIdx.x % 32;
#pragma unroll
  for (int v = 0; v < V; ++v) {
    double sum = static_cast<double>(sums[v]);
#pragma unroll
    for (int other = 16; other >= L; other /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, other);
    if (place < L) shared[warp][place * V + v] = sum;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < L * V; i += block_threads) {
    if (begin + i >= a.columns) continue;
    double sum = shared[0][i];
#pragma unroll
    for (int w = 1; w < block_warps; ++w) sum += shared[w][i];
    a.parts[block * a.columns + begin + i] = sum;
  }
}

}  // namespace

template <class S>
void launch_sum_of_terms(const SumOfTerms<S>& a, Stream stream) {
  constexpr int V = 16 / static_cast<int>(sizeof(S));
  const std::int64_t numbers = a.signals * a.rows * a.columns;
  if (numbers == 0) return;
  bool whole = a.columns % V == 0 && reinterpret_cast<std::uintptr_t>(a.y) % 16 == 0 &&
               reinterpret_cast<std::uintptr_t>(a.bias) % 16 == 0;
  for (int t = 0; t < a.count; ++t) whole = whole && is_aligned(a.terms[t]);
  if (whole)
    sum_kernel<S, V><<<grid_of(numbers / V), block_threads, 0, stream>>>(a, numbers / V);
  else
    sum_kernel<S, 1><<<grid_of(numbers), block_threads, 0, stream>>>(a, numbers);
}

template <class S>
void launch_activation_gradient(const ActivationGradient<S>& a, Stream stream) {
  const RowBlocks blocks = activation_blocks(a.signals * a.rows);
  if (blocks.count == 0 || a.columns == 0) return;
  with_row_shape<S>(a.columns, true, [&](auto shape) {
    constexpr int V = decltype(shape)::vector, L = decltype(shape)::lanes;
    const int tiles = (a.columns + L * V - 1) / (L * V);
    gradient_kernel<S, V, L>
        <<<static_cast<unsigned>(blocks.count * tiles), block_threads, 0, stream>>>(a, blocks.length, tiles);
  });
}

template void launch_sum_of_terms(const SumOfTerms<float>&, Stream);
template void launch_sum_of_terms(const SumOfTerms<double>&, Stream);
template void launch_sum_of_terms(const SumOfTerms<Bf16>&, Stream);
template void launch_activation_gradient(const ActivationGradient<float>&, Stream);
template void launch_activation_gradient(const ActivationGradient<double>&, Stream);
template void launch_activation_gradient(const ActivationGradient<Bf16>&, Stream);

}  // namespace gsan::ops::cuda
