#pragma once
// Bytes held through operator new, as malloc_usable_size counts them: what is live now,
// and the most since the last reset. Link memory_meter.cpp into the benchmark.

#include <cstddef>

namespace gsan {

struct MemoryMeter {
  static std::size_t live();
  static std::size_t peak();
  static void reset_peak();
};

}  // namespace gsan
