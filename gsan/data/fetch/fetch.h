#pragma once
// A dataset from its public address into the cache.

#include <functional>
#include <string>

#include "gsan/data/fetch/cache.h"
#include "gsan/data/fetch/download.h"

namespace gsan {

struct FetchOptions {
  /// A mirror: the file of an address …/NAME is taken from FROM/NAME. Empty: the public addresses.
  std::string from{};
  DownloadOptions download{};
  /// Called with the address before each download, and when another process fetches the same dataset.
  std::function<void(const std::string& url)> starting{};
  std::function<void()> waiting{};
};

/// Brings every file that is not verified, and touches no other. A file gets its name when its SHA-256 is
/// that of the catalog, those of an archive all together; what is interrupted resumes from its .part file the
/// next time. Processes that fetch one dataset take turns. Nothing is written where everything is there
/// already.
///
/// Fault::io: network or disk; Fault::format: other content than the catalog's (both sums are named, nothing
/// is kept). Every message ends with how to put the files there by hand.
DatasetReport fetch(const Dataset& dataset, const DataCache& cache, const FetchOptions& options = {});

}  // namespace gsan
