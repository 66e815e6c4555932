#include "gsan/core/process_memory.h"

#include <fstream>

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <sys/resource.h>
#include <unistd.h>

namespace gsan {
namespace {

struct Pages {
  std::size_t resident = 0, data = 0;
};

Pages pages_of_process() {
  std::size_t total = 0, shared = 0, text = 0, library = 0;
  Pages pages;
  std::ifstream("/proc/self/statm") >> total >> pages.resident >> shared >> text >> library >> pages.data;
  return pages;
}

std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

}  // namespace

std::size_t resident_memory() { return pages_of_process().resident * page_size(); }

std::size_t peak_resident_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

void forget_peak_memory() {
#if defined(__GLIBC__)
  ::malloc_trim(0);
#endif
  std::ofstream("/proc/self/clear_refs") << "5\n";
}

bool limit_further_memory(std::size_t bytes) {
  // The limit is one of all private memory that can be written to, which is more than what is resident.
  const std::size_t now = pages_of_process().data * page_size();
  rlimit limit{};
  if (now == 0 || ::getrlimit(RLIMIT_DATA, &limit) != 0) return false;
  const auto wanted = static_cast<rlim_t>(now + bytes);
  if (wanted < limit.rlim_cur) limit.rlim_cur = wanted;
  return ::setrlimit(RLIMIT_DATA, &limit) == 0;
}

}  // namespace gsan
