// Philox in int64 tensors, 32 bits in each: the same words as gsan/core/random.h on any device.

#include <array>
#include <utility>

#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/ops/detail/pair_dropout_checks.h"

namespace gsan::ops {
namespace {

constexpr std::int64_t low32 = 0xffffffff;

// High and low 32 bits of m · c, without passing 2^63 on the way.
std::pair<at::Tensor, at::Tensor> wide_product(std::int64_t m, const at::Tensor& c) {
  const at::Tensor upper = c * (m >> 16), lower = c * (m & 0xffff);
  return {(upper + lower.bitwise_right_shift(16)).bitwise_right_shift_(16),
          (upper.bitwise_and(0xffff) * 65536).add_(lower).bitwise_and_(low32)};
}

std::array<at::Tensor, 4> philox_words(std::array<at::Tensor, 4> counter, std::uint64_t key) {
  std::uint32_t key0 = static_cast<std::uint32_t>(key), key1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const auto [high_a, low_a] = wide_product(0xd2511f53, counter[0]);
    const auto [high_b, low_b] = wide_product(0xcd9e8d57, counter[2]);
    counter = {high_b.bitwise_xor(counter[1]).bitwise_xor(static_cast<std::int64_t>(key0)), low_b,
               high_a.bitwise_xor(counter[3]).bitwise_xor(static_cast<std::int64_t>(key1)), low_a};
    key0 += 0x9e3779b9;
    key1 += 0xbb67ae85;
  }
  return counter;
}

at::Tensor mask_composite(const at::Tensor& sources, const at::Tensor& shared_keys,
                          const at::Tensor& source_keys, const at::Tensor& part_keys,
                          const at::Tensor& signal_keys, std::int64_t stream, double p, std::int64_t heads,
                          at::ScalarType type) {
  check_pair_dropout(sources, shared_keys, source_keys, part_keys, signal_keys, p, heads, type);
  const auto word = [](const at::Tensor& keys) { return keys.to(at::kLong).bitwise_and(low32); };
  const std::array<at::Tensor, 4> counter = {word(source_keys.index_select(0, sources)), word(shared_keys),
                                             word(part_keys.index_select(0, sources)),
                                             word(signal_keys).unsqueeze(-1)};
  at::Tensor mask = at::empty({signal_keys.size(0), sources.size(0), heads}, sources.options().dtype(type));
  for (std::int64_t h = 0; h < heads; h += 4) {
    const auto words =
        philox_words(counter, static_cast<std::uint64_t>(stream) + static_cast<std::uint64_t>(h / 4));
    for (std::int64_t i = 0; i < 4 && h + i < heads; ++i)
      mask.select(-1, h + i).copy_(words[i] >= smallest_kept_word(p));
  }
  return mask.mul_(1 / (1 - p));
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CompositeExplicitAutograd, m) { m.impl("pair_dropout_mask", mask_composite); }

}  // namespace gsan::ops
