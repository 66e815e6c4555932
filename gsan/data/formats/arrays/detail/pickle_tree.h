#pragma once
// The values of one pickle as a flat table: no recursion, neither to build nor to free it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gsan/data/formats/arrays/pickle.h"

namespace gsan {

struct PickleNode {
  PickleKind kind = PickleKind::none;
  bool sealed = false;       // another value contains it: it may not change any more
  std::size_t offset = 0;    // of the opcode that made it
  std::int64_t integer = 0;  // integer; boolean; array: Fortran order; name: what it means
  double number = 0;
  std::string text;  // text, bytes, name; type: "<i4"
  /// Nodes. dict: key, value, key, …; array: shape, type, data; object: its dict.
  std::vector<std::uint32_t> items;
};

struct PickleTree {
  std::string source;
  std::vector<PickleNode> nodes;
};

/// "a list", "an integer", …
std::string_view kind_text(PickleKind kind);

}  // namespace gsan
