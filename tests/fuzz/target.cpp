#include "target.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <sys/mman.h>
#include <unistd.h>

namespace gsan::fuzz {

std::vector<Target>& targets() {
  static std::vector<Target> all;
  return all;
}

void broken(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: a promise is broken: %s\n", file, line, condition);
  std::abort();
}

std::string input_file(std::string_view bytes) {
  static const int file = ::memfd_create("gsan_fuzz", 0);
  MUST(file >= 0 && ::ftruncate(file, 0) == 0);
  MUST(::pwrite(file, bytes.data(), bytes.size(), 0) == std::ssize(bytes));
  return concat("/proc/self/fd/", file);
}

std::string_view next_part(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\xff'), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

}  // namespace gsan::fuzz
