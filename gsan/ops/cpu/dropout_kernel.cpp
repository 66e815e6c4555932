// The words are those of core/random.h's philox, for many counters at a time. Each of the 32-bit words has a
// lane of 64 bits, as a product of two of them needs: the upper halves of lanes mean nothing.

#include "gsan/ops/cpu/dropout_kernel.h"

#include <cstdint>

#if GSAN_VECTOR_BYTES > 16
#include <immintrin.h>
#endif

namespace gsan::ops {
namespace {

constexpr int lanes = 16, vectors = lanes * 8 / GSAN_VECTOR_BYTES, lanes_of_vector = lanes / vectors;
using Lanes = std::uint64_t __attribute__((vector_size(GSAN_VECTOR_BYTES)));

struct Words {
  alignas(64) std::uint64_t word[4][lanes];
};

// The lower halves times c, all 64 bits.
inline Lanes times(Lanes x, std::uint32_t c) {
#if GSAN_VECTOR_BYTES == 64
  return (Lanes)_mm512_maskz_mul_epu32(0xff, (__m512i)x,
                                       _mm512_set1_epi64(c));  // GCC 12 warns of the plain one
#elif GSAN_VECTOR_BYTES == 32
  return (Lanes)_mm256_mul_epu32((__m256i)x, _mm256_set1_epi64x(c));
#else
  return (x & 0xffffffffU) * c;
#endif
}

inline void philox_lanes(Words& c, std::uint64_t key) {
  for (int v = 0; v < vectors; ++v) {
    auto key0 = static_cast<std::uint32_t>(key), key1 = static_cast<std::uint32_t>(key >> 32);
    Lanes w[4];
    for (int i = 0; i < 4; ++i) __builtin_memcpy(&w[i], &c.word[i][v * lanes_of_vector], sizeof(Lanes));
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
      const Lanes a = times(w[0], 0xd2511f53), b = times(w[2], 0xcd9e8d57);
      w[0] = (b >> 32) ^ w[1] ^ key0;
      w[1] = b;
      w[2] = (a >> 32) ^ w[3] ^ key1;
      w[3] = a;
      key0 += 0x9e3779b9;
      key1 += 0xbb67ae85;
    }
    for (int i = 0; i < 4; ++i) __builtin_memcpy(&c.word[i][v * lanes_of_vector], &w[i], sizeof(Lanes));
  }
}

template <class T>
bool dropout_pairs(const DropoutArguments<T>& a, std::int64_t begin, std::int64_t end) {
  for (std::int64_t first = begin; first < end; first += lanes) {
    const int count = static_cast<int>(end - first < lanes ? end - first : lanes);
    Words counter{};
    for (int l = 0; l < count; ++l) {
      const std::int32_t j = a.sources[first + l];
      if (j < 0 || j >= a.simplices) return false;
      counter.word[0][l] = static_cast<std::uint32_t>(a.source_keys[j]);
      counter.word[1][l] = static_cast<std::uint32_t>(a.shared[first + l]);
      counter.word[2][l] = static_cast<std::uint32_t>(a.part_keys[j]);
      counter.word[3][l] = a.signal_key;
    }
    for (std::int64_t h = 0; h < a.heads; h += 4) {
      Words drawn = counter;
      philox_lanes(drawn, a.stream + static_cast<std::uint64_t>(h / 4));
      for (std::int64_t i = 0; i < 4 && h + i < a.heads; ++i)
        for (int l = 0; l < count; ++l)
          a.mask[(first + l) * a.heads + h + i] =
              static_cast<std::uint32_t>(drawn.word[i][l]) >= a.kept_from ? a.kept : T(0);
    }
  }
  return true;
}

}  // namespace

GSAN_DEFINE_KERNEL(dropout, DropoutKernel, dropout_pairs);

}  // namespace gsan::ops
