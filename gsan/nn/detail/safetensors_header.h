#pragma once
// The header of a safetensors file: JSON that says for every tensor what it is and where its bytes
// lie, and text → text under "__metadata__". Free of torch.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gsan/core/options.h"

namespace gsan {

struct SafetensorsEntry {
  std::string name;
  std::string dtype;                 ///< "F32", "I64", …
  std::vector<std::int64_t> shape;   ///< at most 64 dimensions
  std::uint64_t begin = 0, end = 0;  ///< bytes of the data, counted from the end of the header
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;  ///< in the order of the file's header
  OptionMap metadata;
};

/// Bytes of one number; 0 for a type that is not supported.
std::uint64_t safetensors_item_size(std::string_view dtype);

/// "F64, I64, F32, …"
std::string safetensors_types();

/// JSON, padded with spaces to a multiple of 8 bytes. Text that is not UTF-8 is an error.
std::string print_safetensors_header(const SafetensorsHeader& header);

/// Strict: any departure from the format is Fault::format with `source` and the fault. On return names are
/// unique, the size of every entry is that of its shape and type, and the entries cover
/// `data_bytes` without overlap or gap. Memory is linear in the text, whatever it says.
SafetensorsHeader parse_safetensors_header(std::string_view text, std::uint64_t data_bytes,
                                           std::string_view source);

}  // namespace gsan
