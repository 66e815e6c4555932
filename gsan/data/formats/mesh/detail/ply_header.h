#pragma once
// The header of a PLY file: which elements follow, how many, and with which properties.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace gsan {

enum class PlyEncoding { ascii, little_endian, big_endian };

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

/// Bytes of one value.
std::size_t size_of(PlyType type);

struct PlyProperty {
  std::string name;
  bool is_list = false;
  PlyType count_type = PlyType::uint8;  ///< of the length of a list
  PlyType type = PlyType::float32;      ///< of the value, or of the items of a list
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;

  /// The list, or single, property with one of these names; −1 when it has none.
  int find(std::initializer_list<std::string_view> names, bool is_list = false) const;
};

struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::ascii;
  std::vector<PlyElement> elements;
  std::string_view body;  ///< the bytes after the header
  std::size_t lines = 0;  ///< how many the header has
};

PlyHeader parse_ply_header(std::string_view bytes, std::string_view source);

}  // namespace gsan
