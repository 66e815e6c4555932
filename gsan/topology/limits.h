#pragma once
// How large a lift may become. A lift counts (or bounds) what it is about to build
// and stops with Fault::resource before it allocates more than this.

#include <cstddef>
#include <cstdint>

namespace gsan {

struct Limits {
  std::int64_t max_simplices = 1'000'000'000;     ///< of all orders together
  std::size_t max_memory = std::size_t{8} << 30;  ///< bytes of the finished tables and the scratch
};

}  // namespace gsan
