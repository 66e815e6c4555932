#pragma once
// The values of one pickle as a flat table: no recursion, neither to build nor to free it.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "gsan/data/formats/arrays/pickle.h"

namespace gsan {

/// 16 bytes: every byte of a file may make one. Texts and items, which few values have, lie in another table.
struct PickleNode {
  PickleKind kind = PickleKind::none;
  bool sealed = false;       // another value contains it: it may not change any more
  std::uint32_t offset = 0;  // of the opcode that made it, from the start of the pickle
  std::int64_t value =
      0;  // integer; boolean; the bits of a number; else 1 + its place in PickleTree::extras, or 0
};

struct PickleExtra {
  std::string text;  // text, bytes, name; type: "<i4"
  int flag = 0;      // array: Fortran order; name: what it means
  /// Nodes. dict: key, value, key, …; array: shape, type, data; object: its dict.
  std::vector<std::uint32_t> items{};
};

static_assert(PickleKind::number < PickleKind::text, "plain values come first");

struct PickleTree {
  std::string source;
  std::size_t offset = 0;  // where the pickle begins in the source
  // A deque grows without a copy of what it holds.
  std::deque<PickleNode> nodes{};
  std::deque<PickleExtra> extras{};

  /// Without text and items for plain values, whose `value` is no place.
  const PickleExtra& extra(std::uint32_t node) const {
    static const PickleExtra none;
    const PickleNode& held = nodes[node];
    return held.kind < PickleKind::text || held.value == 0 ? none
                                                           : extras[static_cast<std::size_t>(held.value - 1)];
  }
  /// Of a value that is not plain.
  PickleExtra& own_extra(std::uint32_t node) {
    std::int64_t& place = nodes[node].value;
    if (place == 0) {
      extras.emplace_back();
      place = static_cast<std::int64_t>(extras.size());
    }
    return extras[static_cast<std::size_t>(place - 1)];
  }
};

/// "a list", "an integer", …
std::string_view kind_text(PickleKind kind);

}  // namespace gsan
