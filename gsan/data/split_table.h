#pragma once
// A split as a table: name,part or, for simplices, v0 … vk,part.

#include <filesystem>
#include <string>
#include <vector>

#include "gsan/data/split.h"

namespace gsan {

/// What a table calls the items: its columns, and the texts of each item in them.
struct ItemTexts {
  std::vector<std::string> columns;            ///< {"name"}, {"v0", "v1"}
  std::vector<std::vector<std::string>> rows;  ///< as many texts as columns
};

/// CSV with a header. The order of the vertices of a simplex does not matter; items that the table does not
/// name are in no part. Fault::format at the line of an unknown or repeated item or an unknown part.
Split read_split_table(const std::filesystem::path& path, const ItemTexts& items);

}  // namespace gsan
