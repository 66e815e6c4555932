#pragma once
// An NPY file of Python objects (dtype '|O'): the usual header, then the array as a pickle.

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "gsan/data/formats/arrays/pickle.h"

namespace gsan {

struct ObjectArray {
  std::vector<std::uint64_t> shape;
  PickleValue items;  ///< a list, the last index running fastest
};

/// Fault::format where it is not such a file, or its two parts do not agree; see parse_pickle for what an
/// object may be.
ObjectArray parse_object_npy(std::string_view bytes, std::string_view source);
ObjectArray read_object_npy(const std::filesystem::path& path);

}  // namespace gsan
