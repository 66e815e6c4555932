#pragma once
// Sorting the numbers of a star. A number becomes an unsigned key with the same order (+0 = −0, and a place
// for every NaN), so that no input is outside the order.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace gsan::ops {

__extension__ typedef unsigned __int128 WideKey;

template <class T>
struct SortKey {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  using Placed = std::conditional_t<sizeof(T) == 4, std::uint64_t, WideKey>;  ///< key above, place below
  static constexpr int bits = 8 * sizeof(Bits);
  static constexpr Bits top = Bits{1} << (bits - 1);

  static Bits of(T x) {
    const Bits b = std::bit_cast<Bits>(x + T(0));
    return b & top ? ~b : b | top;
  }
  /// of(−x) from of(x).
  static Bits negated(Bits key) { return key == top ? top : ~key; }
  static Placed place(Bits key, std::uint32_t where) { return Placed{key} << bits | where; }
  static Bits key(Placed p) { return static_cast<Bits>(p >> bits); }
  static std::uint32_t where(Placed p) { return static_cast<std::uint32_t>(p); }
};

/// By key, then by place; the places must increase. `spare` has room for as many.
template <class T>
void sort_placed(typename SortKey<T>::Placed* values, typename SortKey<T>::Placed* spare,
                 std::int64_t count) {
  using Key = SortKey<T>;
  if (count <= 24) {
    for (std::int64_t i = 1; i < count; ++i) {
      const auto value = values[i];
      std::int64_t to = i;
      for (; to > 0 && value < values[to - 1]; --to) values[to] = values[to - 1];
      values[to] = value;
    }
    return;
  }
  if (count < 256 * static_cast<std::int64_t>(sizeof(T)) / 4) {
    std::sort(values, values + count);
    return;
  }
  // Stable passes over digits of the key, the lowest first.
  constexpr int digit_bits = 11, digits = (Key::bits + digit_bits - 1) / digit_bits;
  constexpr std::uint32_t buckets = 1u << digit_bits;
  const auto digit = [](typename Key::Placed value, int d) {
    return static_cast<std::uint32_t>(value >> (Key::bits + d * digit_bits)) & (buckets - 1);
  };
  std::array<std::array<std::uint32_t, buckets>, digits> starts{};
  for (std::int64_t i = 0; i < count; ++i)
    for (int d = 0; d < digits; ++d) ++starts[d][digit(values[i], d)];
  auto *from = values, *to = spare;
  for (int d = 0; d < digits; ++d) {
    std::uint32_t sum = 0;
    for (std::uint32_t& start : starts[d]) sum += std::exchange(start, sum);
    for (std::int64_t i = 0; i < count; ++i) to[starts[d][digit(from[i], d)]++] = from[i];
    std::swap(from, to);
  }
  if (from != values) std::copy(from, from + count, values);
}

}  // namespace gsan::ops
