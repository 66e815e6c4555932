#pragma once
// Folders of own data, made in the test.

#include <filesystem>
#include <string>

#include "gsan/core/atomic_file.h"
#include "gsan/data/own/own_data.h"

#include "support/temporary_folder.h"

namespace gsan {

class OwnSample {
 public:
  OwnSample& write(const std::string& name, const std::string& content) {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    write_file_atomically(path, content);
    return *this;
  }
  void remove(const std::string& name) { std::filesystem::remove(folder_ / name); }
  std::string path() const { return folder_.path().string(); }
  OwnFolder open() const { return OwnFolder(folder_.path()); }

 private:
  TemporaryFolder folder_;
};

/// Two triangles that share the edge (b c); the edges (b a), (c b), (b d) are listed.
inline const char* const two_triangles = "a b c\nb c d\nb a\nc b\nb d\n";

}  // namespace gsan
