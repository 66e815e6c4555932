#pragma once
// Where public datasets live, and what of them is there.

#include <filesystem>
#include <string>
#include <vector>

#include "gsan/data/fetch/catalog.h"

namespace gsan {

/// GSAN_HOME, else $XDG_CACHE_HOME/gsan, else ~/.cache/gsan; absolute. It need not exist.
std::filesystem::path cache_root();

enum class FileState {
  missing,
  different,  ///< there, with another SHA-256
  verified,
};

const char* name_of(FileState state);

struct FileReport {
  DatasetFile file;
  std::filesystem::path path;  ///< where it is or belongs
  FileState state = FileState::missing;
  std::string sha256{};  ///< of what is there
};

struct DatasetReport {
  std::filesystem::path folder;
  std::vector<FileReport> files;  ///< in the order of the catalog

  bool is_complete() const;   ///< every file is verified
  bool is_absent() const;     ///< every file is missing
  const char* state() const;  ///< "verified", "missing", "different" (a file is) or "incomplete"
};

/// The folder `data` of the cache, and folders laid out like it that are only read. How a file came there
/// does not matter: its SHA-256 does.
class DataCache {
 public:
  explicit DataCache(std::filesystem::path folder = cache_root() / "data",
                     std::vector<std::filesystem::path> read_only = {});

  /// The cache with the folders that are only read: these, then those of the variable GSAN_DATA, which are
  /// separated by colons.
  static DataCache standard(std::vector<std::filesystem::path> read_only = {});

  const std::filesystem::path& folder() const { return folder_; }

  /// The first place where every file is verified, else the cache itself. Reads and sums every file.
  DatasetReport inspect(const Dataset& dataset) const;

  /// The folder of a dataset that is complete. Otherwise Fault::io (Fault::format where a file differs) with
  /// the path, source and SHA-256 of every file that is needed.
  std::filesystem::path require(const Dataset& dataset) const;

 private:
  std::filesystem::path folder_;
  std::vector<std::filesystem::path> read_only_;
};

/// For each file that is not verified: where to put it, where the public gets it, its SHA-256. Lines for
/// people, each ending with a newline except the last.
std::string how_to_place(const DatasetReport& report);

}  // namespace gsan
