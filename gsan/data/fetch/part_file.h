#pragma once
// A file that grows under a name of its own until it is known to be right.

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace gsan {

/// PATH.part beside PATH; what an interrupted writer left in it stays and may be continued. Without bytes it
/// does not stay.
/// Failures are Fault::io with the path and the system's reason.
class PartFile {
 public:
  explicit PartFile(const std::filesystem::path& target);
  ~PartFile();
  PartFile(PartFile&&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  void append(std::string_view bytes);
  void clear();    ///< to no bytes
  void flush();    ///< to the disk
  void remove();   ///< the file; nothing may follow
  void promote();  ///< flush, then rename it to the target

 private:
  std::filesystem::path target_, path_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

}  // namespace gsan
