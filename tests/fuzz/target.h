#pragma once
// Fuzz targets: readers of bytes that nobody vouches for. A target reads its input and checks what it read;
// an Error is a proper answer, everything else (a crash, a hang, another exception, a broken promise) is a
// finding.
//
//   FUZZ_TARGET(npy) { … parse_npy_array(bytes, "fuzzed") … }
//
// All targets are part of one program. libFuzzer's (fuzz_main.cpp) runs the one that GSAN_FUZZ_TARGET names;
// the replay (replay_main.cpp) runs each on the files of a folder of its name.

#include <string>
#include <string_view>
#include <vector>

#include "gsan/core/check.h"

namespace gsan::fuzz {

struct Target {
  std::string_view name;
  void (*run)(std::string_view bytes);  ///< the bytes end where their allocation ends
};

std::vector<Target>& targets();

/// Adds to targets() before main().
struct Registered {
  Registered(std::string_view name, void (*run)(std::string_view)) { targets().push_back({name, run}); }
};

/// Prints the condition and aborts: what was read breaks a promise.
[[noreturn]] void broken(const char* condition, const char* file, int line);

/// The bytes as a file, for readers that take a path: in memory, without a name in any folder, so that
/// nothing is left however the process ends. The same path for every input of a process and of its forks.
std::string input_file(std::string_view bytes);

/// Cuts the part before the next byte 0xFF off `rest`: inputs of several files.
std::string_view next_part(std::string_view& rest);

/// Runs `read`; an Error is a proper answer, unless it speaks of "printed": gsan refuses what it wrote
/// itself.
template <class Read>
void expect_error_or_result(Read&& read) {
  try {
    read();
  } catch (const Error& error) {
    if (std::string_view(error.what()).starts_with("printed"))
      broken(error.what(), "printed and read back", 0);
  }
}

}  // namespace gsan::fuzz

#define MUST(condition)                                                     \
  do {                                                                      \
    if (!(condition)) ::gsan::fuzz::broken(#condition, __FILE__, __LINE__); \
  } while (false)

#define FUZZ_TARGET(name)                                                      \
  static void fuzz_##name(std::string_view bytes);                             \
  static const ::gsan::fuzz::Registered registered_##name(#name, fuzz_##name); \
  static void fuzz_##name(std::string_view bytes)
