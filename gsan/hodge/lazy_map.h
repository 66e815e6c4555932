#pragma once
// Values that are made on first use and then kept, from any thread.

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "gsan/hodge/kept_tensors.h"

namespace gsan {

/// A value is made once per key; threads that ask for it meanwhile wait, those that ask for
/// others do not. It stays where it is. What `make` throws passes on, and the next caller tries again.
/// `make` may ask for other keys; the tensors that it makes are kept ones (kept_tensors.h).
template <class Key, class Value>
class LazyMap {
 public:
  template <class Make>
  const Value& get(const Key& key, const Make& make) {
    Entry& entry = entry_of(key);
    const std::lock_guard lock(entry.mutex);
    if (!entry.value) {
      const KeptTensors ordinary;
      entry.value.emplace(make());
    }
    return *entry.value;
  }

  /// The value of a key, or nullptr where it was not made yet.
  const Value* find(const Key& key) {
    Entry& entry = entry_of(key);
    const std::lock_guard lock(entry.mutex);
    return entry.value ? &*entry.value : nullptr;
  }

  /// The keys that were asked for so far.
  std::vector<Key> keys() {
    const std::lock_guard lock(mutex_);
    std::vector<Key> all;
    for (const auto& entry : entries_) all.push_back(entry.first);
    return all;
  }

 private:
  struct Entry {
    std::mutex mutex;
    std::optional<Value> value;
  };
  Entry& entry_of(const Key& key) {
    const std::lock_guard lock(mutex_);
    return entries_[key];
  }
  std::mutex mutex_;
  std::map<Key, Entry> entries_;  // nodes do not move
};

}  // namespace gsan
