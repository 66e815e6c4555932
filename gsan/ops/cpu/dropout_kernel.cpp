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

// The counters of `count` pairs, and of the last one again in the lanes that are left.
template <class T>
inline bool read_counters(const DropoutArguments<T>& a, std::int64_t first, int count, Words& counter) {
  std::int32_t source[lanes], shared[lanes];
  for (int l = 0; l < lanes; ++l) {
    const std::int64_t pair = first + (l < count ? l : count - 1);
    source[l] = a.sources[pair], shared[l] = a.shared[pair];
  }
  bool is_there = true;
  for (const std::int32_t j : source) is_there &= j >= 0 && j < a.simplices;
  if (!is_there) return false;
  for (int l = 0; l < lanes; ++l) {
    counter.word[0][l] = static_cast<std::uint32_t>(a.source_keys[source[l]]);
    counter.word[1][l] = static_cast<std::uint32_t>(shared[l]);
    counter.word[2][l] = static_cast<std::uint32_t>(a.part_keys[source[l]]);
    counter.word[3][l] = a.signal_key;
  }
  return true;
}

// The masks of U heads of all lanes, one word each, row after row: loops of constant length over rows of
// words are what the compiler makes vectors of.
template <class T, int U>
inline void make_masks(const DropoutArguments<T>& a, const Words& drawn, T* masks) {
  std::uint32_t words[lanes * U];
  for (int l = 0; l < lanes; ++l)
    for (int i = 0; i < U; ++i) words[l * U + i] = static_cast<std::uint32_t>(drawn.word[i][l]);
  const auto last_dropped = static_cast<std::uint32_t>(a.kept_from - 1);
  const T kept = a.kept, below = a.kept_from > 0 ? T(0) : kept;
  for (int n = 0; n < lanes * U; ++n) masks[n] = words[n] > last_dropped ? kept : below;
}

// Those of the heads h … h + U − 1 of `count` pairs.
template <class T, int U>
inline void write_masks(const DropoutArguments<T>& a, const Words& drawn, int count, T* mask) {
  if (a.heads == U && count == lanes) return make_masks<T, U>(a, drawn, mask);
  T masks[lanes * U];
  make_masks<T, U>(a, drawn, masks);
  for (int l = 0; l < count; ++l)
    for (int i = 0; i < U; ++i) mask[l * a.heads + i] = masks[l * U + i];
}

// Those of the heads h … h + 3, as far as there are so many.
template <class T>
inline void write_heads(const DropoutArguments<T>& a, const Words& drawn, std::int64_t h, int count,
                        T* mask) {
  switch (a.heads - h) {
    case 1:
      return write_masks<T, 1>(a, drawn, count, mask);
    case 2:
      return write_masks<T, 2>(a, drawn, count, mask);
    case 3:
      return write_masks<T, 3>(a, drawn, count, mask);
    default:
      return write_masks<T, 4>(a, drawn, count, mask);
  }
}

template <class T>
bool dropout_pairs(const DropoutArguments<T>& a, std::int64_t begin, std::int64_t end) {
  Words counter, drawn;
  for (std::int64_t first = begin; first < end; first += lanes) {
    const int count = static_cast<int>(end - first < lanes ? end - first : lanes);
    if (!read_counters(a, first, count, counter)) return false;
    for (std::int64_t h = 0; h < a.heads; h += 4) {
      drawn = counter;
      philox_lanes(drawn, a.stream + static_cast<std::uint64_t>(h / 4));
      write_heads(a, drawn, h, count, a.mask + first * a.heads + h);
    }
  }
  return true;
}

}  // namespace

GSAN_DEFINE_KERNEL(dropout, DropoutKernel, dropout_pairs);

}  // namespace gsan::ops
