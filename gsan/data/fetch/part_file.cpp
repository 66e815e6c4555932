#include "gsan/data/fetch/part_file.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gsan/core/check.h"
#include "gsan/core/failpoint.h"

namespace gsan {
namespace {

[[noreturn]] void cannot_write(const std::filesystem::path& path, int error) {
  fail(Fault::io, "cannot write ", path, ": ", std::generic_category().message(error));
}

}  // namespace

PartFile::PartFile(const std::filesystem::path& target) : target_(target), path_(target) {
  path_ += ".part";
  descriptor_ = fails_at("part_file.open")
                    ? -1
                    : ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor_ < 0) cannot_write(path_, errno);
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  if (end < 0) {
    const int error = errno;
    ::close(descriptor_);
    cannot_write(path_, error);
  }
  size_ = static_cast<std::uint64_t>(end);
}

PartFile::~PartFile() {
  ::close(descriptor_);
  if (size_ == 0) remove();
}

void PartFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written =
        fails_at("part_file.write") ? -1 : ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) cannot_write(path_, errno);
    size_ += static_cast<std::uint64_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void PartFile::clear() {
  if (fails_at("part_file.truncate") || ::ftruncate(descriptor_, 0) != 0 ||
      ::lseek(descriptor_, 0, SEEK_SET) < 0)
    cannot_write(path_, errno);
  size_ = 0;
}

void PartFile::flush() {
  // EINVAL: some file systems cannot synchronise, which is not a failure to write.
  if ((fails_at("part_file.sync") || ::fsync(descriptor_) != 0) && errno != EINVAL)
    cannot_write(path_, errno);
}

void PartFile::remove() { ::unlink(path_.c_str()); }

void PartFile::promote() {
  flush();
  if (fails_at("part_file.rename") || ::rename(path_.c_str(), target_.c_str()) != 0)
    cannot_write(target_, errno);
}

}  // namespace gsan
