#pragma once
// Numbers in binary files of either byte order.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

namespace gsan {

enum class ByteOrder { little, big };

/// The T at `bytes`, which need not be aligned.
template <class T>
T load_bytes(const char* bytes, ByteOrder order) {
  char copy[sizeof(T)];
  std::memcpy(copy, bytes, sizeof(T));
  if ((order == ByteOrder::big) != (std::endian::native == std::endian::big))
    std::reverse(copy, copy + sizeof(T));
  T value;
  std::memcpy(&value, copy, sizeof(T));
  return value;
}

}  // namespace gsan
