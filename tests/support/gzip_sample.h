#pragma once
// Gzip files, made in the test without zlib: the content is stored, not compressed.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace gsan {

inline std::string gzipped(std::string_view content) {
  std::uint32_t sum = 0xffffffff;
  for (const char c : content) {
    sum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ (sum & 1 ? 0xedb88320u : 0u);
  }
  std::string bytes("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
  const auto put = [&](std::uint64_t value, int length) {
    for (int i = 0; i < length; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  };
  std::string_view rest = content;
  do {
    const std::size_t length = std::min<std::size_t>(rest.size(), 0xffff);
    put(length == rest.size(), 1);
    put(length, 2);
    put(~length, 2);
    bytes += rest.substr(0, length);
    rest.remove_prefix(length);
  } while (!rest.empty());
  put(~sum, 4);
  put(content.size(), 4);
  return bytes;
}

}  // namespace gsan
