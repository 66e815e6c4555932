#include "gsan/core/failpoint.h"

#ifdef GSAN_FAILPOINTS

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace gsan {
namespace {

struct Control {
  long failing = 0;  // 0: none
  int log = -1;

  Control() {
    if (const char* number = std::getenv("GSAN_FAILPOINT")) failing = std::atol(number);
    if (const char* file = std::getenv("GSAN_FAILPOINT_LOG"))
      log = ::open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  }
};

}  // namespace

bool fails_at(const char* point) {
  static const Control control;
  static std::atomic<long> reached{0};
  if (control.failing == 0 && control.log < 0) return false;
  const long number = ++reached;
  if (control.log >= 0) {
    const std::string line = std::string(point) + "\n";
    [[maybe_unused]] const ssize_t ignored = ::write(control.log, line.data(), line.size());
  }
  if (number == control.failing) errno = ENOSPC;
  return number == control.failing;
}

}  // namespace gsan

#else

namespace gsan {

bool fails_at(const char*) { return false; }

}  // namespace gsan

#endif
