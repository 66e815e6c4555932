#pragma once
// The header of an NPY file: magic, version, and a Python dictionary that describes the array.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gsan/data/formats/bytes.h"

namespace gsan {

struct NpyHeader {
  char kind = 'f';            ///< b(ool), i(nt), u(nsigned), f(loat)
  std::size_t item_size = 8;  ///< bytes
  ByteOrder byte_order = ByteOrder::little;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  std::size_t data_offset = 0;  ///< where the values begin in the file
};

constexpr std::string_view npy_magic = "\x93NUMPY";

/// Fault::format where it is no NPY header or describes something that is no table of numbers.
NpyHeader parse_npy_header(std::string_view bytes, std::string_view source);

}  // namespace gsan
