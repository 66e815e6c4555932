// libFuzzer's entry: the target is chosen by GSAN_FUZZ_TARGET (scripts/fuzz.sh sets it).

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "target.h"

namespace {

const gsan::fuzz::Target& chosen() {
  const char* name = std::getenv("GSAN_FUZZ_TARGET");
  for (const gsan::fuzz::Target& target : gsan::fuzz::targets())
    if (name != nullptr && target.name == name) return target;
  std::fprintf(stderr, "GSAN_FUZZ_TARGET must name a target:");
  for (const gsan::fuzz::Target& target : gsan::fuzz::targets())
    std::fprintf(stderr, " %.*s", static_cast<int>(target.name.size()), target.name.data());
  std::fprintf(stderr, "\n");
  std::_Exit(2);
}

}  // namespace

// Before the first input: a name that is not known is a mistake, not a finding.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  (void)chosen();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const gsan::fuzz::Target& target = chosen();
  const std::vector<char> exact(data, data + size);  // a read past the end is seen
  target.run({exact.data(), exact.size()});
  return 0;
}
