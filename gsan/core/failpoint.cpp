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

constexpr std::size_t line_length = 40;

struct Control {
  long failing = 0;  // 0: none
  int log = -1;

  // Appends the name; returns its number in the file, to which other processes append too.
  long logged(const char* point) const {
    std::string line = point;
    line.resize(line_length - 1, ' ');
    line += '\n';
    [[maybe_unused]] const ssize_t ignored = ::write(log, line.data(), line.size());
    return static_cast<long>(::lseek(log, 0, SEEK_CUR)) / static_cast<long>(line_length);
  }

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
  const long number = control.log < 0 ? ++reached : control.logged(point);
  if (number == control.failing) errno = ENOSPC;
  return number == control.failing;
}

}  // namespace gsan

#else

namespace gsan {

bool fails_at(const char*) { return false; }

}  // namespace gsan

#endif
