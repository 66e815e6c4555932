#pragma once
// A folder of results that appear all together or not at all.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gsan/core/atomic_file.h"

namespace gsan::app {

/// Makes the folder where it is missing. Files are written under temporary names; commit()
/// gives them their own. Without commit() the files, and the folder if it was made here,
/// are removed.
class OutputFolder {
 public:
  explicit OutputFolder(std::filesystem::path path);
  ~OutputFolder();
  OutputFolder(OutputFolder&&) = delete;

  void add(const std::string& name, std::string_view content);
  bool holds(const std::string& name) const;  ///< was it added?
  /// The paths of all files, in the order of add().
  std::vector<std::string> commit();

 private:
  std::filesystem::path path_;
  std::vector<std::filesystem::path> made_;  // folders made here, outermost first
  std::vector<std::unique_ptr<AtomicFile>> files_;
};

}  // namespace gsan::app
