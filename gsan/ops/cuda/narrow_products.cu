// A group of threads owns a row of x. v lies in shared memory by columns, [C][K], and every piece of it that
// a thread reads serves several rows.

#include "gsan/ops/cuda/narrow_products.h"
#include "gsan/ops/cuda/reductions.cuh"

namespace gsan::ops::cuda {
namespace {

constexpr std::int64_t most_grid = 4096, shared_bytes = 48 << 10;

extern __shared__ double shared_memory[];

// V numbers from shared memory, 16 bytes at a time where they are that many.
template <int V, class T>
__device__ __forceinline__ void load_shared(const T* from, T (&to)[V]) {
  constexpr int bytes = static_cast<int>(sizeof(T)) * V < 16 ? static_cast<int>(sizeof(T)) * V : 16;
  constexpr int at_a_time = bytes / static_cast<int>(sizeof(T));
#pragma unroll
  for (int v = 0; v < V; v += at_a_time) {
    Pack<T, at_a_time> pack;
    pack.word = *reinterpret_cast<const decltype(pack.word)*>(from + v);
#pragma unroll
    for (int a = 0; a < at_a_time; ++a) to[v + a] = pack.number[a];
  }
}

template <class T>
__device__ __forceinline__ void share_columns(const NarrowColumns<T>& v, T* shared) {
  for (int i = threadIdx.x; i < v.K * v.C; i += block_threads)
    shared[i] = v.data[i % v.K * v.row + i / v.K * v.column];
  __syncthreads();
}

// P pieces of L · V features cover a row; R rows per group at a time. Sums are staged by columns (one row of
// padding against conflicts) and leave in the order of memory.
template <class S, int V, int L, int P, int R>
__global__ void __launch_bounds__(block_threads)
    product_kernel(const S* x, const NarrowColumns<Compute<S>> v, Compute<S>* to, std::int64_t rows) {
  using T = Compute<S>;
  constexpr int groups = block_threads / L, tile = groups * R;
  T *columns = reinterpret_cast<T*>(shared_memory), *staged = columns + v.K * v.C;
  share_columns(v, columns);
  const int lane = threadIdx.x % L, group = threadIdx.x / L;
  const unsigned mask = group_mask<L>();
  const int row_step = block_threads / v.C, column_step = block_threads % v.C;
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * tile; first < rows;
       first += static_cast<std::int64_t>(gridDim.x) * tile) {
    T numbers[R][P][V];
#pragma unroll
    for (int r = 0; r < R; ++r) {
#pragma unroll
      for (int p = 0; p < P; ++p) {
        const int k = (p * L + lane) * V;
        const std::int64_t row = first + r * groups + group;
        if (row < rows && k < v.K) {
          load<V>(x + row * v.K + k, numbers[r][p]);
        } else {
#pragma unroll
          for (int n = 0; n < V; ++n) numbers[r][p][n] = 0;
        }
      }
    }
    for (int c = 0; c < v.C; ++c) {
      T sums[R] = {};
#pragma unroll
      for (int p = 0; p < P; ++p) {
        const int k = (p * L + lane) * V;
        if (k >= v.K) continue;
        T factor[V];
        load_shared<V>(columns + c * v.K + k, factor);
#pragma unroll
        for (int r = 0; r < R; ++r) {
#pragma unroll
          for (int n = 0; n < V; ++n) sums[r] += numbers[r][p][n] * factor[n];
        }
      }
      group_sums<L, R>(mask, sums);
#pragma unroll
      for (int s = 0; s < sums_per_thread<L, R>; ++s)
        staged[c * (tile + 1) + (first_of_sums<L, R>() + s) * groups + group] = sums[s];
    }
    __syncthreads();
    const int count = static_cast<int>(rows - first < tile ? rows - first : tile);
    for (int row = threadIdx.x / v.C, c = threadIdx.x % v.C; row < count;) {
      to[(first + row) * v.C + c] = staged[c * (tile + 1) + row];
      row += row_step, c += column_step;
      if (c >= v.C) c -= v.C, ++row;
    }
    __syncthreads();
  }
}

template <class S, int V, int L>
__global__ void __launch_bounds__(block_threads)
    add_kernel(S* x, const NarrowColumns<Compute<S>> v, const Compute<S>* y, std::int64_t rows) {
  using T = Compute<S>;
  constexpr int groups = block_threads / L, R = 4;
  T* columns = reinterpret_cast<T*>(shared_memory);
  share_columns(v, columns);
  const int lane = threadIdx.x % L, group = threadIdx.x / L;
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * groups * R + group; first < rows;
       first += static_cast<std::int64_t>(gridDim.x) * groups * R) {
    for (int k = lane * V; k < v.K; k += L * V) {
      T sum[R][V];
#pragma unroll
      for (int r = 0; r < R; ++r) {
        if (first + r * groups >= rows) continue;
        Pack<S, V> pack;  // not by the read-only path: this kernel writes x
        pack.word = *reinterpret_cast<const decltype(pack.word)*>(x + (first + r * groups) * v.K + k);
#pragma unroll
        for (int n = 0; n < V; ++n) sum[r][n] = widen(pack.number[n]);
      }
      for (int c = 0; c < v.C; ++c) {
        T factor[V];
        load_shared<V>(columns + c * v.K + k, factor);
#pragma unroll
        for (int r = 0; r < R; ++r) {
          if (first + r * groups >= rows) continue;
          const T other = __ldg(y + (first + r * groups) * v.C + c);
#pragma unroll
          for (int n = 0; n < V; ++n) sum[r][n] += other * factor[n];
        }
      }
#pragma unroll
      for (int r = 0; r < R; ++r)
        if (first + r * groups < rows) store<V>(x + (first + r * groups) * v.K + k, sum[r]);
    }
  }
}

template <class S, int V, int L, int P>
void launch_product(const S* x, const NarrowColumns<Compute<S>>& v, Compute<S>* to, std::int64_t rows,
                    Stream stream) {
  constexpr int R = P * V >= 16 ? 1 : P * V >= 8 ? 2 : 4, tile = block_threads / L * R;
  const std::int64_t tiles = (rows + tile - 1) / tile;
  const std::size_t bytes = (v.K * v.C + (tile + 1) * v.C) * sizeof(Compute<S>);
  product_kernel<S, V, L, P, R>
      <<<static_cast<unsigned>(tiles < most_grid ? tiles : most_grid), block_threads, bytes, stream>>>(
          x, v, to, rows);
}

template <class S>
bool whole_vectors(std::int64_t K) {
  return K % (16 / static_cast<std::int64_t>(sizeof(S))) == 0;
}

}  // namespace

template <class S>
bool fits_narrow_product(std::int64_t K, std::int64_t C) {
  constexpr std::int64_t V = 16 / static_cast<std::int64_t>(sizeof(S));
  const bool whole = whole_vectors<S>(K);
  std::int64_t lanes = 1;
  while (lanes < 32 && lanes * V < K) lanes *= 2;
  const std::int64_t tile = block_threads * 4 / (whole ? lanes : K == 1 ? 1 : K <= 4 ? 4 : 32);
  return K > 0 && C > 0 && K <= (whole ? 128 * V : 512) && C <= 1024 &&
         (K + tile + 1) * C * static_cast<std::int64_t>(sizeof(Compute<S>)) <= shared_bytes;
}

template <class S>
void launch_narrow_product(const S* x, const NarrowColumns<Compute<S>>& v, Compute<S>* to, std::int64_t rows,
                           Stream stream) {
  if (rows == 0) return;
  with_row_shape<S>(v.K, true, [&](auto shape) {
    constexpr int V = decltype(shape)::vector, L = decltype(shape)::lanes;
    const int pieces = (v.K + L * V - 1) / (L * V);
    if constexpr (L < 32) {
      launch_product<S, V, L, 1>(x, v, to, rows, stream);
    } else {
      if (pieces == 1) return launch_product<S, V, L, 1>(x, v, to, rows, stream);
      if (pieces <= 4) return launch_product<S, V, L, 4>(x, v, to, rows, stream);
      if constexpr (V == 1) launch_product<S, V, L, 16>(x, v, to, rows, stream);
    }
  });
}

template <class S>
void launch_add_narrow_product(S* x, const NarrowColumns<Compute<S>>& v, const Compute<S>* y,
                               std::int64_t rows, Stream stream) {
  if (rows == 0) return;
  const Rows<S> of_x{x, 0, v.K};
  with_row_shape<S>(v.K, is_aligned(of_x), [&](auto shape) {
    constexpr int V = decltype(shape)::vector, L = decltype(shape)::lanes;
    const std::int64_t tiles = (rows + block_threads / L * 4 - 1) / (block_threads / L * 4);
    add_kernel<S, V, L><<<static_cast<unsigned>(tiles < most_grid ? tiles : most_grid), block_threads,
                          v.K * v.C * sizeof(Compute<S>), stream>>>(x, v, y, rows);
  });
}

#define GSAN_INSTANTIATE(S)                                                                                  \
  template bool fits_narrow_product<S>(std::int64_t, std::int64_t);                                          \
  template void launch_narrow_product(const S*, const NarrowColumns<Compute<S>>&, Compute<S>*, std::int64_t, \
                                      Stream);                                                               \
  template void launch_add_narrow_product(S*, const NarrowColumns<Compute<S>>&, const Compute<S>*,           \
                                          std::int64_t, Stream)
GSAN_INSTANTIATE(float);
GSAN_INSTANTIATE(double);
GSAN_INSTANTIATE(Bf16);

}  // namespace gsan::ops::cuda
