#pragma once
// The header of an NPY file: magic, version, and a Python dictionary that describes the array.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gsan/data/formats/arrays/bytes.h"

namespace gsan {

struct NpyHeader {
  char kind = 'f';            ///< b(ool), i(nt), u(nsigned), f(loat), O(bject)
  std::size_t item_size = 8;  ///< bytes; 0 for objects
  ByteOrder byte_order = ByteOrder::little;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  std::size_t data_offset = 0;  ///< where the values begin in the file
};

constexpr std::string_view npy_magic = "\x93NUMPY";

enum class NpyItems { numbers, objects };

/// Fault::format where it is no NPY header or describes an array of something else than `items`.
NpyHeader parse_npy_header(std::string_view bytes, std::string_view source,
                           NpyItems items = NpyItems::numbers);

}  // namespace gsan
