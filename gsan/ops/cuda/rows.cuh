#pragma once
// How threads share the features of a row: a group of L neighbouring threads of a warp owns a row, and each
// of them V consecutive features of every L · V. Sums over a group run in one fixed order, whatever the
// launch.

#include <cuda_runtime.h>

#include "gsan/ops/cuda/numbers.h"

namespace gsan::ops::cuda {

constexpr int block_threads = 256;

__device__ __forceinline__ float widen(float x) { return x; }
__device__ __forceinline__ double widen(double x) { return x; }
__device__ __forceinline__ float widen(Bf16 x) {
  return __uint_as_float(static_cast<unsigned>(x.bits) << 16);
}

__device__ __forceinline__ void narrow(float x, float& to) { to = x; }
__device__ __forceinline__ void narrow(double x, double& to) { to = x; }
// To the nearest, ties to even; a NaN stays one.
__device__ __forceinline__ void narrow(float x, Bf16& to) {
  const unsigned bits = __float_as_uint(x);
  to.bits = static_cast<std::uint16_t>(x != x ? 0x7fc0u : (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

template <int bytes>
struct Word;
template <>
struct Word<2> {
  using Type = unsigned short;
};
template <>
struct Word<4> {
  using Type = unsigned;
};
template <>
struct Word<8> {
  using Type = uint2;
};
template <>
struct Word<16> {
  using Type = uint4;
};

template <class S, int V>
union Pack {
  typename Word<static_cast<int>(sizeof(S)) * V>::Type word;
  S number[V];
  __device__ Pack() {}
};

/// V numbers by one instruction, as they lie in memory. `from` is aligned to all of them and not written by
/// this kernel.
template <int V, class S>
__device__ __forceinline__ void load(const S* from, Pack<S, V>& pack) {
  pack.word = __ldg(reinterpret_cast<const decltype(pack.word)*>(from));
}

template <int V, class S>
__device__ __forceinline__ void load(const S* from, Compute<S> (&to)[V]) {
  Pack<S, V> pack;
  load<V>(from, pack);
#pragma unroll
  for (int v = 0; v < V; ++v) to[v] = widen(pack.number[v]);
}

template <int V, class S>
__device__ __forceinline__ void store(S* to, const Compute<S> (&from)[V]) {
  Pack<S, V> pack;
#pragma unroll
  for (int v = 0; v < V; ++v) narrow(from[v], pack.number[v]);
  *reinterpret_cast<decltype(pack.word)*>(to) = pack.word;
}

/// The threads of the group of L that the calling thread belongs to.
template <int L>
__device__ __forceinline__ unsigned group_mask() {
  return (0xffffffffu >> (32 - L)) << (threadIdx.x % 32 / L * L);
}

/// Σ over the group, the same bits in all of its threads.
template <int L, class T>
__device__ __forceinline__ T group_sum(unsigned mask, T x) {
#pragma unroll
  for (int other = L / 2; other > 0; other /= 2) x += __shfl_xor_sync(mask, x, other, L);
  return x;
}

template <int L, class T>
__device__ __forceinline__ T group_max(unsigned mask, T x) {
#pragma unroll
  for (int other = L / 2; other > 0; other /= 2) {
    const T y = __shfl_xor_sync(mask, x, other, L);
    x = x > y ? x : y;
  }
  return x;
}

template <int V, int L>
struct RowShape {
  static constexpr int vector = V, lanes = L;
};

/// Calls run(RowShape) with the shape for rows of `features` numbers: either the threads of a group hold a
/// whole row, or they are 32. `aligned`: every row begins at a multiple of 16 bytes.
template <class S, class Run>
void with_row_shape(std::int64_t features, bool aligned, const Run& run) {
  constexpr int V = 16 / static_cast<int>(sizeof(S));
  if (!aligned || features % V != 0) {
    if (features <= 1) return run(RowShape<1, 1>{});
    return features <= 4 ? run(RowShape<1, 4>{}) : run(RowShape<1, 32>{});
  }
  if (features <= V) return run(RowShape<V, 1>{});
  if (features <= 2 * V) return run(RowShape<V, 2>{});
  if (features <= 4 * V) return run(RowShape<V, 4>{});
  if (features <= 8 * V) return run(RowShape<V, 8>{});
  if (features <= 16 * V) return run(RowShape<V, 16>{});
  return run(RowShape<V, 32>{});
}

/// The same with fewer shapes, for kernels that are long to compile and loop over the features of a row.
template <class S, class Run>
void with_looping_shape(std::int64_t features, bool aligned, const Run& run) {
  constexpr int V = 16 / static_cast<int>(sizeof(S));
  if (!aligned || features % V != 0) return run(RowShape<1, 8>{});
  if (features <= V) return run(RowShape<V, 1>{});
  if (features <= 4 * V) return run(RowShape<V, 4>{});
  if (features <= 8 * V) return run(RowShape<V, 8>{});
  if (features <= 16 * V) return run(RowShape<V, 16>{});
  return run(RowShape<V, 32>{});
}

/// Whether 16 bytes may be moved at a time.
template <class S>
bool is_aligned(const Rows<S>& x) {
  constexpr std::int64_t V = 16 / static_cast<std::int64_t>(sizeof(S));
  return reinterpret_cast<std::uintptr_t>(x.data) % 16 == 0 && x.signal % V == 0 && x.row % V == 0;
}

/// Blocks for a kernel whose threads take `items` in turns.
inline unsigned grid_of(std::int64_t items) {
  constexpr std::int64_t most = 1 << 20;
  const std::int64_t blocks = (items + block_threads - 1) / block_threads;
  return static_cast<unsigned>(blocks < most ? blocks : most);
}

/// Blocks for `items` groups of L threads.
template <int L>
unsigned blocks_of(std::int64_t items) {
  constexpr std::int64_t at_a_time = block_threads / L;
  return static_cast<unsigned>((items + at_a_time - 1) / at_a_time);
}

}  // namespace gsan::ops::cuda
