// The words are those of core/random.h's philox, whose rounds are written here over lanes, so that the
// compiler makes vectors of them.

#include "gsan/ops/cpu/dropout_kernel.h"

#include <cstdint>

namespace gsan::ops {
namespace {

constexpr int lanes = 16;

struct Words {
  alignas(64) std::uint32_t word[4][lanes];
};

inline void philox_lanes(Words& c, std::uint64_t key) {
  auto key0 = static_cast<std::uint32_t>(key), key1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    for (int l = 0; l < lanes; ++l) {
      const std::uint64_t a = std::uint64_t{0xd2511f53} * c.word[0][l];
      const std::uint64_t b = std::uint64_t{0xcd9e8d57} * c.word[2][l];
      c.word[0][l] = static_cast<std::uint32_t>(b >> 32) ^ c.word[1][l] ^ key0;
      c.word[1][l] = static_cast<std::uint32_t>(b);
      c.word[2][l] = static_cast<std::uint32_t>(a >> 32) ^ c.word[3][l] ^ key1;
      c.word[3][l] = static_cast<std::uint32_t>(a);
    }
    key0 += 0x9e3779b9;
    key1 += 0xbb67ae85;
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
          a.mask[(first + l) * a.heads + h + i] = drawn.word[i][l] >= a.kept_from ? a.kept : T(0);
    }
  }
  return true;
}

}  // namespace

GSAN_DEFINE_KERNEL(dropout, DropoutKernel, dropout_pairs);

}  // namespace gsan::ops
