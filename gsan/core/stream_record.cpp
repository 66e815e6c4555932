#include "gsan/core/stream_record.h"

#include <algorithm>
#include <atomic>
#include <shared_mutex>

namespace gsan {
namespace {

std::mutex one_record;
std::atomic<StreamRecord*> active = nullptr;
std::shared_mutex in_use;  // shared by who notes, so that a record does not end meanwhile

template <class Add>
void with_active(const Add& add) {
  if (active.load(std::memory_order_relaxed) == nullptr) return;
  const std::shared_lock lock(in_use);
  if (StreamRecord* record = active.load()) add(*record);
}

}  // namespace

RandomStream follow(const RandomStream& first, const StreamPath& path) {
  RandomStream stream = first;
  for (const auto& step : path)
    stream = std::visit([&](const auto& name) { return stream.substream(name); }, step);
  return stream;
}

StreamRecord::StreamRecord() : alone_(one_record) { active = this; }

StreamRecord::~StreamRecord() {
  const std::unique_lock lock(in_use);
  active = nullptr;
}

void StreamRecord::note(std::uint64_t from, std::uint64_t to, std::string_view name) {
  with_active([&](StreamRecord& record) { record.add(to, {from, std::string(name)}); });
}

void StreamRecord::note(std::uint64_t from, std::uint64_t to, std::uint64_t index) {
  with_active([&](StreamRecord& record) { record.add(to, {from, index}); });
}

void StreamRecord::add(std::uint64_t to, Origin origin) {
  const std::lock_guard lock(mutex_);
  origins_.emplace(to, std::move(origin));
}

std::optional<StreamPath> StreamRecord::path(std::uint64_t first, std::uint64_t last) const {
  const std::lock_guard lock(mutex_);
  StreamPath backwards;
  while (last != first) {
    const auto found = origins_.find(last);
    if (found == origins_.end() || backwards.size() > origins_.size()) return std::nullopt;
    backwards.push_back(found->second.name);
    last = found->second.from;
  }
  std::ranges::reverse(backwards);
  return backwards;
}

}  // namespace gsan
