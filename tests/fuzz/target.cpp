#include "target.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

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

std::string input_file(std::string_view bytes, std::string_view suffix) {
  const std::filesystem::path memory = "/dev/shm";
  const auto folder = std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
  const std::string path = (folder / concat("gsan_fuzz_", ::getpid(), suffix)).string();
  std::ofstream(path, std::ios::binary | std::ios::trunc).write(bytes.data(), std::ssize(bytes));
  return path;
}

std::string_view next_part(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\xff'), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

}  // namespace gsan::fuzz
