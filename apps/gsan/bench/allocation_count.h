#pragma once
// How often a piece of work asks for memory.

#include <cstdint>
#include <functional>

namespace gsan::app {

struct AllocationCount {
  std::int64_t objects = 0;       ///< through operator new, on any thread
  std::int64_t tensors = 0;       ///< storages of tensors
  std::int64_t tensor_bytes = 0;  ///< of these

  friend bool operator==(const AllocationCount&, const AllocationCount&) = default;
};

/// Not from two threads at once.
AllocationCount count_allocations(const std::function<void()>& work);

}  // namespace gsan::app
