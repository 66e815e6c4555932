#include "gsan/core/process_memory.h"

#include <memory>
#include <new>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace gsan {
namespace {

constexpr std::size_t MiB = std::size_t{1} << 20;

TEST(ProcessMemory, SeesWhatIsUsedAndForgetsThePeak) {
  forget_peak_memory();
  const std::size_t before = resident_memory();
  if (before == 0) GTEST_SKIP() << "the system does not say";
  {
    std::vector<char> used(64 * MiB, 1);
    EXPECT_GT(resident_memory(), before + 60 * MiB);
    EXPECT_EQ(std::accumulate(used.begin(), used.end(), 0), static_cast<int>(64 * MiB));
  }
  EXPECT_GT(peak_resident_memory(), before + 60 * MiB);
}

// In a process of its own: the limit stays.
TEST(ProcessMemoryDeathTest, AnAllocationBeyondTheLimitFails) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitizer ends a process whose allocation fails";
#endif
  const auto limited = [] {
    if (!limit_further_memory(200 * MiB)) std::exit(0);  // the system has no limit
    try {
      const std::vector<char> fits(100 * MiB, 1);
    } catch (const std::bad_alloc&) {
      std::exit(2);
    }
    try {
      const std::vector<char> too_large(400 * MiB, 1);
    } catch (const std::bad_alloc&) {
      std::exit(0);
    }
    std::exit(3);
  };
  EXPECT_EXIT(limited(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace gsan
