#pragma once
// Keys of random streams in device memory, for steps that are captured once and replayed with other keys.

#include <cstdint>
#include <functional>
#include <vector>

namespace gsan::ops {

/// Where a kernel that is captured finds the key of this stream when it is replayed; nullptr: nothing is
/// being captured, and the key is the number itself. To be asked for on the host at every launch, from any
/// thread: a kernel reads `slot ? *slot : stream`.
const std::int64_t* device_slot(std::int64_t stream);

/// While it lives, device_slot() deals out the places of `table`, which has room for so many keys, wherever
/// `is_capturing` says so of the calling thread; one more is Fault::resource. Only one lives at a time.
class StreamSlots {
 public:
  StreamSlots(const std::int64_t* table, std::size_t room, std::function<bool()> is_capturing);
  ~StreamSlots();
  StreamSlots(const StreamSlots&) = delete;
  StreamSlots& operator=(const StreamSlots&) = delete;

  /// The streams that were asked for, in the order of their places.
  std::vector<std::int64_t> streams() const;
};

}  // namespace gsan::ops
