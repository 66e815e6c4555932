#pragma once
// One process at a time.

#include <filesystem>
#include <optional>
#include <utility>

namespace gsan::app {

/// Held as long as it lives; the system lets go of it when the process ends, however.
class FileLock {
 public:
  /// Makes the file where it is missing. Nothing where another process holds it; a file system without locks
  /// holds nothing.
  static std::optional<FileLock> try_take(const std::filesystem::path& file);

  FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;  // −1 after a move
};

/// Whether another process holds it; nobody holds a file that is not there.
bool is_locked(const std::filesystem::path& file);

}  // namespace gsan::app
