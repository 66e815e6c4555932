#pragma once
// Numbers 0, 1, … for keys in the order in which they are first met.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "gsan/core/check.h"

namespace gsan {

/// A hash table with open addressing: millions of labels are looked up, and each lookup
/// costs one probe of a flat table and one look at the key. `View` is what a key is looked
/// up by (std::string_view for std::string).
template <class Key, class View = Key>
class Numbering {
 public:
  /// The number of the key; the next free one when it was not met before.
  std::size_t number(const View& key) {
    if (2 * (keys_.size() + 1) > slots_.size()) grow();
    const std::uint64_t hash = hash_of(key);
    for (std::size_t at = hash >> shift_;; at = (at + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[at];
      if (slot.number == free) {
        if (keys_.size() >= free) fail(Fault::resource, "more than 2^32 - 2 different labels");
        slot = {static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(keys_.size())};
        keys_.emplace_back(key);
        return keys_.size() - 1;
      }
      if (slot.hash == static_cast<std::uint32_t>(hash) && keys_[slot.number] == key) return slot.number;
    }
  }

  const std::vector<Key>& keys() const { return keys_; }  ///< by number

 private:
  static constexpr std::uint32_t free = std::numeric_limits<std::uint32_t>::max();
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = free;
  };

  // The high bits choose the slot: multiplying spreads the integers, which hash to themselves.
  static std::uint64_t hash_of(const View& key) { return std::hash<View>{}(key)*0x9e3779b97f4a7c15u; }

  void grow() {
    slots_.assign(slots_.empty() ? 64 : 4 * slots_.size(), Slot{});
    shift_ = 64 - std::countr_zero(slots_.size());
    for (std::size_t number = 0; number < keys_.size(); ++number) {
      const std::uint64_t hash = hash_of(keys_[number]);
      std::size_t at = hash >> shift_;
      while (slots_[at].number != free) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = {static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(number)};
    }
  }

  std::vector<Key> keys_;
  std::vector<Slot> slots_;  // a power of two, at most half full
  int shift_ = 0;
};

}  // namespace gsan
