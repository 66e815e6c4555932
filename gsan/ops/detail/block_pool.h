#pragma once
// Memory for the large tensors that kernels make anew at every step. When one is freed, malloc gives such a
// block back to the system, and the next step pays a fault for each of its pages, which may cost more than
// the arithmetic. A block of the pool waits for the next tensor of its size instead, and is made of huge
// pages where the system has them: rows are gathered from all over it.
//
// At most 2 GiB wait. A tensor for which none waits sends all waiting blocks back to the system: sizes that
// are gone do not hold memory.

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace gsan::ops {

/// at::empty: contiguous, with values that nobody set; on the CPU from 4 MiB on in a block of the pool.
at::Tensor pooled_empty(at::IntArrayRef sizes, const at::TensorOptions& options);

/// Bytes that wait in the pool.
std::int64_t waiting_bytes();

/// Gives all that waits back to the system.
void release_waiting();

}  // namespace gsan::ops
