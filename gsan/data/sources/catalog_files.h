#pragma once
// The files of a public dataset, for its source.

#include <filesystem>
#include <string>

#include "gsan/data/opened_data.h"

namespace gsan {

struct CatalogFiles {
  std::filesystem::path folder;
  DataHashes hashes;  ///< of every file of the catalog's entry
};

/// Of a dataset of the catalog that is here, verified; otherwise Fault::io says which file to put where.
CatalogFiles require_files(const std::string& name);

}  // namespace gsan
