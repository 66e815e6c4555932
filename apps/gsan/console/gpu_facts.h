#pragma once
// What the driver says of a GPU. Asked by name at run time, so that a build without CUDA has it, too.

#include <cstddef>
#include <optional>
#include <string>

namespace gsan::app {

struct GpuFacts {
  std::string name;
  int major = 0, minor = 0;  ///< compute capability
  int multiprocessors = 0;
  std::size_t l2_bytes = 0;
  std::size_t memory_bytes = 0;
  int driver = 0;  ///< the CUDA that it supports: 13000 is 13.0
};

/// Of cuda:`index`; nothing where there is no driver or no such GPU.
std::optional<GpuFacts> gpu_facts(int index);

}  // namespace gsan::app
