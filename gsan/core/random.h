#pragma once
// All randomness of the project: counter-based streams with names.
//
// A stream is a key, derived from (seed, purpose); its numbers are Philox4x32-10 of a
// counter (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3",
// SC 2011). So any number is reached at once, streams of different names never
// disturb each other, and everything here gives the same bits on every platform.

#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace gsan {

using RandomBlock = std::array<std::uint32_t, 4>;

/// Philox4x32-10: a keyed bijection of 128-bit counters.
constexpr RandomBlock philox(RandomBlock counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xd2511f53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xcd9e8d57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9e3779b9;
    key[1] += 0xbb67ae85;
  }
  return counter;
}

/// The top 53 bits as a number in [0, 1).
constexpr double unit_interval(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

/// Read a stream either by counter (at) or in sequence; draw n of the sequence is word
/// pair n % 2 of at({n / 2}), so mixing both on one stream repeats numbers. Everything
/// is a function of (key, position): save both to resume. A value type; a copy runs on
/// independently from the same position. A UniformRandomBitGenerator.
class RandomStream {
 public:
  using result_type = std::uint64_t;

  /// `purpose` names what the numbers are for ("dropout", "split", …).
  RandomStream(std::uint64_t seed, std::string_view purpose);

  /// A stream of its own for a part of this purpose; does not depend on the position.
  RandomStream substream(std::string_view name) const;
  RandomStream substream(std::uint64_t index) const;

  std::uint64_t key() const { return key_; }

  /// 128 random bits of a counter, e.g. at({j, face, 0, 0}) for the mask of (j, face).
  RandomBlock at(RandomBlock counter) const {
    return philox(counter, {static_cast<std::uint32_t>(key_), static_cast<std::uint32_t>(key_ >> 32)});
  }

  /// How many 64-bit words were drawn; seek() continues from there.
  std::uint64_t position() const { return position_; }
  void seek(std::uint64_t position);

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()();

  double uniform() { return unit_interval((*this)()); }  ///< in [0, 1), 53 random bits
  double uniform(double low, double high);               ///< in [low, high)
  double normal();                                       ///< mean 0, variance 1
  std::uint64_t below(std::uint64_t n);                  ///< in 0 … n − 1, unbiased; n ≥ 1

  /// Every order equally likely (Fisher–Yates).
  template <class T>
  void shuffle(std::span<T> values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }
  template <class T>
  void shuffle(std::vector<T>& values) {
    shuffle(std::span<T>(values));
  }

  /// 0 … n − 1 in random order.
  template <class Int>
  std::vector<Int> permutation(Int n) {
    std::vector<Int> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), Int{0});
    shuffle(order);
    return order;
  }

 private:
  explicit RandomStream(std::uint64_t key) : key_(key) {}
  std::uint64_t key_;
  std::uint64_t position_ = 0;
  RandomBlock block_{};  // at(position_ / 2), valid while position_ is odd
};

}  // namespace gsan
