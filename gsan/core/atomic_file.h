#pragma once
// Files that are either complete or not there.

#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

namespace gsan {

/// Writes to a temporary name in the folder of `path`; commit() flushes it to the disk
/// and renames it to `path`. Without commit() — a failure, an exception — the
/// temporary file is removed and an existing file at `path` stays as it was.
///
///   AtomicFile file("out.csv");
///   file.stream() << "…";
///   file.commit();
///
/// A file that is replaced keeps its mode (who may read and write it).
/// A symbolic link is followed; a device or a pipe (/dev/stdout) is written directly.
/// Every failure is Fault::io with the path and the system's reason; a failed write
/// shows in the state of stream() at once and is thrown by commit().
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& path);
  ~AtomicFile();
  AtomicFile(AtomicFile&&) = delete;

  std::ostream& stream() { return stream_; }  ///< binary: bytes are written as given
  const std::filesystem::path& path() const { return path_; }
  /// The first half of commit(), which can fail: everything to the disk, under the temporary
  /// name. Several files that belong together are finished one by one, then committed.
  void finish();
  void commit();

 private:
  class Buffer;
  std::filesystem::path path_;       // where it ends up, links resolved
  std::filesystem::path temporary_;  // empty: nothing to rename or remove
  std::unique_ptr<Buffer> buffer_;
  std::ostream stream_;
};

/// Whether `path` is a temporary name that an AtomicFile for a file called `name` takes, "NAME.PID.N.tmp":
/// what a process that was killed while it wrote may have left behind.
bool is_temporary_name(const std::filesystem::path& path, std::string_view name);

/// The whole content at once.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// The whole content of a file as bytes. Fault::io when it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace gsan
