#pragma once
// A dataset together with what identifies it.

#include <string>
#include <utility>
#include <vector>

namespace gsan {

/// Name or path of each file that was read → SHA-256 of its bytes; of generated data, of the settings.
using DataHashes = std::vector<std::pair<std::string, std::string>>;

template <class Dataset>
struct OpenedData {
  Dataset data;
  DataHashes hashes;
};

}  // namespace gsan
