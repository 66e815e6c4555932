#pragma once
// A fresh folder for one test, removed with everything in it at the end.

#include <filesystem>
#include <stdexcept>
#include <string>

#include <stdlib.h>

namespace gsan {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "gsan_test_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder " + name);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(TemporaryFolder&&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  /// How many entries it holds.
  int size() const {
    int entries = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) entries += entry.exists();
    return entries;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace gsan
