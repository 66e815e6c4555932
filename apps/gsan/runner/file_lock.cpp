#include "apps/gsan/runner/file_lock.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "gsan/core/check.h"
#include "gsan/core/failpoint.h"

namespace gsan::app {

std::optional<FileLock> FileLock::try_take(const std::filesystem::path& file) {
  const int descriptor =
      fails_at("file_lock.open") ? -1 : ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(Fault::io, "cannot write ", file, ": ", std::generic_category().message(errno));
  FileLock lock(descriptor);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return std::nullopt;
  return lock;
}

bool is_locked(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::exists(file, ignored) && !FileLock::try_take(file);
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace gsan::app
