#include "gsan/data/sources/catalog_files.h"

#include "gsan/data/fetch/cache.h"

namespace gsan {

CatalogFiles require_files(const std::string& name) {
  const Dataset& dataset = find_dataset(name);
  CatalogFiles files{DataCache::standard().require(dataset), {}};
  for (const DatasetFile& file : dataset.files)
    files.hashes.emplace_back(dataset.folder + "/" + file.path, file.sha256);
  return files;
}

}  // namespace gsan
