#include "gsan/train/append_file.h"

#include <cerrno>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "gsan/core/check.h"
#include "gsan/core/failpoint.h"

namespace gsan {
namespace {

[[noreturn]] void cannot_write(const std::filesystem::path& path, int error) {
  fail(Fault::io, "cannot write ", path, ": ", std::generic_category().message(error));
}

}  // namespace

AppendFile::AppendFile(const std::filesystem::path& path)
    : path_(path),
      descriptor_(fails_at("append_file.open")
                      ? -1
                      : ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) cannot_write(path_, errno);
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  size_ = end < 0 ? 0 : static_cast<std::uint64_t>(end);
}

AppendFile::~AppendFile() { ::close(descriptor_); }

void AppendFile::append(std::string_view record) {
  for (std::size_t done = 0; done < record.size();) {
    const ssize_t written =
        fails_at("append_file.write") ? -1 : ::write(descriptor_, record.data() + done, record.size() - done);
    if (written >= 0) {
      done += static_cast<std::size_t>(written);
    } else if (errno != EINTR) {
      const int error = errno;
      // Should this fail, too, readers still find the broken record.
      [[maybe_unused]] const int ignored = ::ftruncate(descriptor_, static_cast<off_t>(size_));
      cannot_write(path_, error);
    }
  }
  size_ += record.size();
}

void AppendFile::synchronize() {
  if ((fails_at("append_file.sync") || ::fsync(descriptor_) != 0) && errno != EINVAL)
    cannot_write(path_, errno);
}

}  // namespace gsan
