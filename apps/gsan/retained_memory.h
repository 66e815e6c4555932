#pragma once
// Large tensors come and go: memory that went back to the system would cost a page fault per 4 KiB when it is
// used again, several times the work itself.

#include <malloc.h>

namespace gsan::app {

inline constexpr const char* retained_memory_setting =
    "M_MMAP_MAX 0, M_TRIM_THRESHOLD off, M_TOP_PAD 256 MiB";

/// From now on malloc keeps what is freed.
inline void keep_freed_memory() {
  ::mallopt(M_MMAP_MAX, 0);
  ::mallopt(M_TRIM_THRESHOLD, -1);
  ::mallopt(M_TOP_PAD, 256 << 20);
}

}  // namespace gsan::app
