#include "gsan/ops/detail/stream_slots.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "gsan/core/check.h"

namespace gsan::ops {
namespace {

struct Table {
  const std::int64_t* first = nullptr;
  std::size_t room = 0;
  std::function<bool()> is_capturing;
  std::vector<std::int64_t> streams;
};

std::atomic<bool> is_active = false;
std::mutex mutex;  // of what follows
Table table;

}  // namespace

const std::int64_t* device_slot(std::int64_t stream) {
  if (!is_active.load(std::memory_order_relaxed)) return nullptr;
  const std::lock_guard lock(mutex);
  if (table.first == nullptr || !table.is_capturing()) return nullptr;
  const auto found = std::ranges::find(table.streams, stream);
  const auto place = static_cast<std::size_t>(found - table.streams.begin());
  if (found == table.streams.end()) {
    if (place == table.room)
      fail(Fault::resource, "device_slot: a captured step has room for ", table.room,
           " random streams, and draws from more");
    table.streams.push_back(stream);
  }
  return table.first + place;
}

StreamSlots::StreamSlots(const std::int64_t* first, std::size_t room, std::function<bool()> is_capturing) {
  const std::lock_guard lock(mutex);
  GSAN_CHECK(table.first == nullptr, "StreamSlots: another step is being captured");
  table = {first, room, std::move(is_capturing), {}};
  is_active = true;
}

StreamSlots::~StreamSlots() {
  const std::lock_guard lock(mutex);
  is_active = false;
  table = {};
}

std::vector<std::int64_t> StreamSlots::streams() const {
  const std::lock_guard lock(mutex);
  return table.streams;
}

}  // namespace gsan::ops
