#pragma once
// Large tensors come and go: memory that went back to the system would cost a page fault per 4 KiB when it is
// used again, several times the work itself; and rows gathered from all over a large tensor would miss the
// table of pages for each.

#include <malloc.h>

#include "gsan/ops/block_pool.h"

namespace gsan::app {

inline constexpr const char* retained_memory_setting =
    "M_MMAP_MAX 0, M_TRIM_THRESHOLD off, M_TOP_PAD 256 MiB; tensors in a pool of blocks, huge pages";

/// From now on malloc keeps what is freed, and tensors are in blocks that wait for the next one.
inline void keep_freed_memory() {
  ::mallopt(M_MMAP_MAX, 0);
  ::mallopt(M_TRIM_THRESHOLD, -1);
  ::mallopt(M_TOP_PAD, 256 << 20);
  ops::pool_all_tensors();
}

/// malloc takes no more at a time than it needs, or nearly so, and few blocks wait: for processes with a
/// limit.
inline void ask_for_memory_in_small_steps() {
  ::mallopt(M_TOP_PAD, 4 << 20);
  ops::let_wait(64 << 20);
}

/// Large blocks go back to the system again when they are freed: for steps that need nearly all memory, where
/// holes between kept blocks cost more than page faults.
inline void return_large_blocks() {
  ops::let_wait(64 << 20);
  ::mallopt(M_MMAP_THRESHOLD, 4 << 20);
  ::mallopt(M_MMAP_MAX, 65536);
}

}  // namespace gsan::app
