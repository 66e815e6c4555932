#pragma once
// Large tensors come and go: memory that went back to the system would cost a page fault per 4 KiB when it is
// used again, several times the work itself; and rows gathered from all over a large tensor would miss the
// table of pages for each.

#include <cstdlib>

#include <malloc.h>

namespace gsan::app {

inline constexpr const char* retained_memory_setting =
    "M_MMAP_MAX 0, M_TRIM_THRESHOLD off, M_TOP_PAD 256 MiB, huge pages";

/// From now on malloc keeps what is freed, and torch asks for huge pages. Must come before torch's first tensor;
/// the environment's own THP_MEM_ALLOC_ENABLE is left as it is.
inline void keep_freed_memory() {
  ::mallopt(M_MMAP_MAX, 0);
  ::mallopt(M_TRIM_THRESHOLD, -1);
  ::mallopt(M_TOP_PAD, 256 << 20);
  ::setenv("THP_MEM_ALLOC_ENABLE", "1", /*overwrite=*/0);
}

}  // namespace gsan::app
