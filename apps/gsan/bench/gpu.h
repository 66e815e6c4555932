#pragma once
// A GPU as benchmarks see it: what it is, how fast it copies, what a piece of work takes of its memory.

#include <functional>

#include "apps/gsan/console/options.h"

namespace gsan::app {

/// Name, compute capability, multiprocessors, L2, memory, CUDA of the driver.
Json describe_gpu(torch::Device gpu);

/// Bytes per second, read + written, of a copy from its memory into its memory, far larger than its L2: the
/// best of several, by cudaMemcpy and by a kernel.
double gpu_copy_rate(torch::Device gpu);

/// Of torch's allocator, which rounds up to 512 bytes.
struct DeviceMemory {
  std::size_t before = 0;  ///< held when the work began: complex, signals, weights
  std::size_t peak = 0;    ///< held at most while it ran, that included
};

/// Runs the work once.
DeviceMemory device_memory(torch::Device gpu, const std::function<void()>& work);

}  // namespace gsan::app
