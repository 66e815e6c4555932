#pragma once
// A file that grows by whole records.

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace gsan {

/// Every append() reaches the file at once: it survives the end of the process. Failures are Fault::io.
class AppendFile {
 public:
  explicit AppendFile(const std::filesystem::path& path);  ///< at the end of what is there
  ~AppendFile();
  AppendFile(AppendFile&&) = delete;

  /// All of `record`, or (on failure) nothing of it.
  void append(std::string_view record);
  void synchronize();  ///< to the disk
  std::uint64_t size() const { return size_; }

 private:
  std::filesystem::path path_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

}  // namespace gsan
