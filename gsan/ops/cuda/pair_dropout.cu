// A thread draws the four words of one pair and four of its heads. The words are those of core/random.h's
// philox.

#include "gsan/ops/cuda/pair_dropout.h"
#include "gsan/ops/cuda/rows.cuh"

namespace gsan::ops::cuda {
namespace {

constexpr int heads_at_a_time = 4;

__device__ __forceinline__ uint4 philox(uint4 counter, std::uint64_t key) {
  unsigned key0 = static_cast<unsigned>(key), key1 = static_cast<unsigned>(key >> 32);
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned high_a = __umulhi(0xd2511f53u, counter.x), low_a = 0xd2511f53u * counter.x;
    const unsigned high_b = __umulhi(0xcd9e8d57u, counter.z), low_b = 0xcd9e8d57u * counter.z;
    counter = make_uint4(high_b ^ counter.y ^ key0, low_b, high_a ^ counter.w ^ key1, low_a);
    key0 += 0x9e3779b9u;
    key1 += 0xbb67ae85u;
  }
  return counter;
}

template <class S>
__global__ void __launch_bounds__(block_threads)
    pair_dropout_kernel(const PairDropout<S> a, std::int64_t items) {
  using T = Compute<S>;
  const std::int64_t stream = a.slot ? *a.slot : a.stream;
  const int blocks = (a.heads + heads_at_a_time - 1) / heads_at_a_time;
  for (std::int64_t item = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x; item < items;
       item += static_cast<std::int64_t>(gridDim.x) * block_threads) {
    const int block = blocks == 1 ? 0 : static_cast<int>(item % blocks);
    const std::int64_t row = blocks == 1 ? item : item / blocks;
    const std::int64_t signal = a.signals == 1 ? 0 : row / a.pairs, e = row - signal * a.pairs;
    const std::int32_t j = __ldg(a.sources + e);
    const bool named = j >= 0 && j < a.simplices;
    uint4 words = make_uint4(0, 0, 0, 0);
    if (named)
      words = philox(make_uint4(static_cast<unsigned>(__ldg(a.source_keys + j)),
                                static_cast<unsigned>(__ldg(a.shared_keys + e)),
                                static_cast<unsigned>(__ldg(a.part_keys + j)),
                                static_cast<unsigned>(__ldg(a.signal_keys + signal))),
                     static_cast<std::uint64_t>(stream) + static_cast<std::uint64_t>(block));
    const unsigned word[heads_at_a_time] = {words.x, words.y, words.z, words.w};
    T value[heads_at_a_time];
#pragma unroll
    for (int h = 0; h < heads_at_a_time; ++h)
      value[h] = named && static_cast<std::int64_t>(word[h]) >= a.kept_from ? static_cast<T>(a.kept) : T(0);
    S* const to = a.mask + row * a.heads + block * heads_at_a_time;
    if constexpr (sizeof(S) * heads_at_a_time <= 16) {
      if (a.heads % heads_at_a_time == 0) {
        store<heads_at_a_time>(to, value);
        continue;
      }
    }
#pragma unroll
    for (int h = 0; h < heads_at_a_time; ++h)
      if (block * heads_at_a_time + h < a.heads) narrow(value[h], to[h]);
  }
}

}  // namespace

template <class S>
void launch_pair_dropout(const PairDropout<S>& a, Stream stream) {
  const std::int64_t items = a.signals * a.pairs * ((a.heads + heads_at_a_time - 1) / heads_at_a_time);
  if (items == 0) return;
  pair_dropout_kernel<<<grid_of(items), block_threads, 0, stream>>>(a, items);
}

template void launch_pair_dropout(const PairDropout<float>&, Stream);
template void launch_pair_dropout(const PairDropout<double>&, Stream);
template void launch_pair_dropout(const PairDropout<Bf16>&, Stream);

}  // namespace gsan::ops::cuda
