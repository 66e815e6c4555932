#include "gsan/ops/cuda/rows.cuh"
#include "gsan/ops/cuda/score_projection.h"

namespace gsan::ops::cuda {
namespace {

// Number d of the D numbers of head h in row k of the weight.
template <class T>
__device__ __forceinline__ std::int64_t place(const ScoreParameters<T>& p, std::int64_t k, int h, int d) {
  return ((k * p.taps + d / p.features) * p.heads + h) * p.features + d % p.features;
}

// A warp per number of the projection.
template <class T>
__global__ void __launch_bounds__(block_threads) projection_kernel(const ScoreParameters<T> p, T* to) {
  const std::int64_t n = (static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x) / 32;
  if (n >= static_cast<std::int64_t>(p.inputs) * 2 * p.heads) return;
  const int column = static_cast<int>(n % (2 * p.heads)), side = column / p.heads, h = column % p.heads,
            D = p.taps * p.features;
  const std::int64_t k = n / (2 * p.heads);
  T sum = 0;
  for (int d = static_cast<int>(threadIdx.x % 32); d < D; d += 32)
    sum += p.weight[place(p, k, h, d)] * p.a[(2 * h + side) * static_cast<std::int64_t>(D) + d];
  sum = group_sum<32>(0xffffffffu, sum);
  if (threadIdx.x % 32 == 0) to[n] = sum;
}

// A thread per number of the weight, and then per number of a.
template <class T>
__global__ void __launch_bounds__(block_threads)
    gradient_kernel(const ScoreParameters<T> p, const T* gradient, T* of_weight, T* of_a) {
  const int D = p.taps * p.features, columns = 2 * p.heads;
  const std::int64_t weights = of_weight ? static_cast<std::int64_t>(p.inputs) * p.heads * D : 0;
  std::int64_t n = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
  if (n < weights) {
    const int f = static_cast<int>(n % p.features), h = static_cast<int>(n / p.features % p.heads),
              tap = static_cast<int>(n / p.features / p.heads % p.taps), d = tap * p.features + f;
    const T* const row = gradient + n / p.features / p.heads / p.taps * columns + h;
    const T* const of_head = p.a + 2 * h * static_cast<std::int64_t>(D) + d;
    of_weight[n] += row[0] * of_head[0] + row[p.heads] * of_head[D];
    return;
  }
  n -= weights;
  if (n >= static_cast<std::int64_t>(columns) * D) return;
  const int d = static_cast<int>(n % D), side = static_cast<int>(n / D % 2), h = static_cast<int>(n / D / 2);
  T sum = 0;
  for (int k = 0; k < p.inputs; ++k)
    sum += p.weight[place(p, k, h, d)] * gradient[k * columns + side * p.heads + h];
  of_a[n] = sum;
}

}  // namespace

template <class T>
void launch_score_projection(const ScoreParameters<T>& p, T* projection, Stream stream) {
  const std::int64_t numbers = static_cast<std::int64_t>(p.inputs) * 2 * p.heads;
  if (numbers == 0) return;
  projection_kernel<T><<<blocks_of<32>(numbers), block_threads, 0, stream>>>(p, projection);
}

template <class T>
void launch_score_projection_backward(const ScoreParameters<T>& p, const T* gradient, T* of_weight, T* of_a,
                                      Stream stream) {
  const std::int64_t of_head = static_cast<std::int64_t>(p.taps) * p.features,
                     numbers = p.heads * of_head * (2 + (of_weight ? p.inputs : 0));
  if (numbers == 0) return;
  gradient_kernel<T><<<blocks_of<1>(numbers), block_threads, 0, stream>>>(p, gradient, of_weight, of_a);
}

#define GSAN_FOR(T)                                                             \
  template void launch_score_projection(const ScoreParameters<T>&, T*, Stream); \
  template void launch_score_projection_backward(const ScoreParameters<T>&, const T*, T*, T*, Stream);
GSAN_FOR(float)
GSAN_FOR(double)
#undef GSAN_FOR

}  // namespace gsan::ops::cuda
