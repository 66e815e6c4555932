#pragma once
// The published data files, where this machine has them. They are not part of the repository.

#include <cstdlib>
#include <filesystem>
#include <string>

namespace gsan {

/// The file or folder below $GSAN_HOME/data, else below shared/data beside the repository; an empty path
/// where neither has it: the test is then skipped.
inline std::filesystem::path published_data(const std::string& name) {
  namespace fs = std::filesystem;
  if (const char* home = std::getenv("GSAN_HOME");
      home != nullptr && fs::exists(fs::path(home) / "data" / name))
    return fs::path(home) / "data" / name;
  const fs::path beside = fs::path(GSAN_SOURCE_DIR) / ".." / "shared" / "data" / name;
  return fs::exists(beside) ? beside : fs::path();
}

}  // namespace gsan

#define GSAN_SKIP_WITHOUT(path, name) \
  if ((path).empty()) GTEST_SKIP() << name << " is neither in $GSAN_HOME/data nor in ../shared/data: skipped"
