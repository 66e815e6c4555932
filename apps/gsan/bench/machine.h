#pragma once
// The machine that a benchmark runs on, and the two rates that bound any work on it (the roofline).

#include "apps/gsan/console/options.h"

namespace gsan::app {

/// Processor, caches, memory, kernels in use, versions, and how malloc is set up.
Json describe_machine(bool retains_memory);

std::size_t physical_memory();  ///< bytes

/// The best of several runs with this many threads.
struct Roofline {
  int threads = 1;
  double copy = 0;        ///< bytes per second, read + written, of a copy far larger than the caches
  double arithmetic = 0;  ///< float32 operations per second of independent multiply-adds in registers;
                          ///< 0: not measured, as on a GPU (gpu.h), where copies alone bound
};

/// Leaves the number of threads as it was.
Roofline measure_roofline(int threads);

}  // namespace gsan::app
