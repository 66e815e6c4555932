#pragma once
// A fresh allocation above malloc's mmap threshold faults in every page on first touch,
// which hides the work to be measured. Call retain_memory() first in main: memory that
// was freed stays with the process, for both sides of a comparison.

#include <malloc.h>

namespace gsan {

inline constexpr const char* retained_memory_setting =
    "malloc retains memory: M_MMAP_MAX 0, M_TRIM_THRESHOLD 2 GiB, M_TOP_PAD 256 MiB";

inline void retain_memory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, 0x7fffffff);
  mallopt(M_TOP_PAD, 256 << 20);
}

}  // namespace gsan
