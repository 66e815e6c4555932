#pragma once
// Memory for tensors that a step makes anew every time. When one is freed, malloc gives a large block back to
// the system, and the next step pays a fault for each of its pages, which may cost more than the arithmetic.
// A block of the pool waits for the next tensor of about its size instead.
//
// Large blocks are made of huge pages where the system has them, as rows are gathered from all over them, and
// begin at different places of a page: rows of the same number in several tensors would compete for one set
// of each cache.
//
// At most 2 GiB wait, or an eighth of the memory of the machine or container where all tensors are pooled. A
// block that has waited for many others to be taken goes back to the system when a new one is made: sizes
// that are gone do not hold memory. All that waits goes back when there is no room.

#include <cstddef>
#include <cstdint>

#include <ATen/core/Tensor.h>

namespace gsan::ops {

/// at::empty: contiguous, with values that nobody set; on the CPU from 4 MiB on in a block of the pool.
at::Tensor pooled_empty(at::IntArrayRef sizes, const at::TensorOptions& options);

/// From now on every tensor of the CPU of 4 KiB and more is in a block of the pool, also those of torch's own
/// ops. For programs, which own their process; a library never calls it. Large blocks are the system's own
/// then, not malloc's: an aligned block that is freed leaves a hole in which the same block has no room, so
/// that a heap that keeps its memory grows with every step.
void pool_all_tensors();

/// From now on at most so many bytes wait.
void let_wait(std::size_t bytes);

/// Bytes that wait in the pool.
std::int64_t waiting_bytes();

/// How many blocks were made because none waited, since the process began.
std::int64_t fresh_blocks();

/// Gives all that waits back to the system.
void release_waiting();

}  // namespace gsan::ops
