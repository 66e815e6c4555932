#pragma once
// A unit: a few consecutive parts of a batch that one thread computes at a time, and the memory for what it
// makes on the way. Rows keep their numbers of the batch, so that tables need no translation; memory for the
// rows of a unit is addressed as if it began with row 0.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <pthread.h>

#include "gsan/ops/cpu/attention/pair_attention_kernel.h"

namespace gsan::ops {

struct RowRange {
  std::int64_t begin = 0, end = 0;
  std::int64_t size() const { return end - begin; }
};

struct Unit {
  std::int64_t first_part, last_part;  ///< last_part is not of it
  std::vector<RowRange> rows;          ///< per order
};

/// Where row `begin` lies in `memory`, rows of `stride` numbers: its row 0, which is not part of it.
template <class T>
T* shifted(T* memory, std::int64_t begin, std::int64_t stride) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(memory) -
                              static_cast<std::uintptr_t>(begin * stride) * sizeof(T));
}

template <class T>
T* row_at(const RowsOf<T>& rows, std::int64_t i) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(rows.data) +
                              static_cast<std::uintptr_t>(i * rows.stride) * sizeof(T));
}

template <class T>
RowsOf<const T> readable(const RowsOf<T>& rows) {
  return {rows.data, rows.stride};
}

/// Column c of the rows.
template <class T>
RowsOf<T> from_column(const RowsOf<T>& rows, std::int64_t c) {
  return {shifted(rows.data, -1, c), rows.stride};
}

/// The first `width` numbers of each row.
template <class T>
void copy_rows(const RowsOf<const T>& from, const RowsOf<T>& to, std::int64_t width, const RowRange& range) {
  for (std::int64_t i = range.begin; i < range.end; ++i) {
    const T* const source = row_at(from, i);
    T* const target = row_at(to, i);
    for (std::int64_t c = 0; c < width; ++c) target[c] = source[c];
  }
}

/// Memory for the rows of a unit, which grows to what one needs and stays for the next one. Contents are
/// anything.
template <class T>
class PartScratch {
 public:
  /// That of the calling thread, with nothing taken.
  static PartScratch& of_thread() {
    thread_local PartScratch scratch;
    scratch.release();
    return scratch;
  }

  /// `count` numbers from a multiple of 64 bytes on.
  T* take(std::int64_t count) {
    const std::int64_t wanted = (count + line - 1) / line * line;
    if (blocks_.empty() || used_ + wanted > blocks_.back().size) {
      const std::int64_t size = std::max(wanted, std::int64_t{1} << 16);
      blocks_.push_back(Block(size));
      used_ = 0;
    }
    T* const taken = blocks_.back().data() + used_;
    used_ += wanted, taken_ += wanted;
    return taken;
  }

  /// Rows `range` of `stride` numbers.
  RowsOf<T> rows(const RowRange& range, std::int64_t stride) {
    return {shifted(take(range.size() * stride), range.begin, stride), stride};
  }

  /// Takes everything back.
  void release() {
    if (blocks_.size() > 1) {  // several blocks become one that would have done
      blocks_.clear();
      blocks_.push_back(Block(taken_));
    }
    used_ = taken_ = 0;
  }

  std::int64_t bytes() const {
    std::int64_t numbers = 0;
    for (const Block& block : blocks_) numbers += block.size;
    return numbers * static_cast<std::int64_t>(sizeof(T));
  }

 private:
  static constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(T));
  struct Block {
    std::unique_ptr<T[]> memory;
    std::int64_t size;
    explicit Block(std::int64_t numbers)
        : memory(new T[static_cast<std::size_t>(numbers + line)]), size(numbers) {}
    T* data() const {
      return reinterpret_cast<T*>((reinterpret_cast<std::uintptr_t>(memory.get()) + 63) &
                                  ~std::uintptr_t{63});
    }
  };

  std::vector<Block> blocks_;
  std::int64_t used_ = 0, taken_ = 0;
};

/// Memory that lives from a forward pass to its backward pass, handed on from step to step.
template <class T>
class PartScratchPool {
 public:
  using Memory = std::unique_ptr<PartScratch<T>>;

  /// Never destroyed: a graph may be freed after everything else.
  static PartScratchPool& instance() {
    static PartScratchPool* const pool = [] {
      auto* const made = new PartScratchPool;
      // A forked process must not inherit a lock held by a thread that it does not have.
      ::pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                       [] { instance().mutex_.unlock(); });
      return made;
    }();
    return *pool;
  }

  Memory take() {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) return std::make_unique<PartScratch<T>>();
    Memory memory = std::move(waiting_.back());
    waiting_.pop_back();
    waiting_bytes_ -= memory->bytes();
    return memory;
  }

  /// How many wait.
  std::size_t waiting() {
    const std::lock_guard lock(mutex_);
    return waiting_.size();
  }

  void put(Memory memory) noexcept {
    try {
      memory->release();
      const std::lock_guard lock(mutex_);
      if (waiting_bytes_ + memory->bytes() > most_waiting) return;
      const std::int64_t bytes = memory->bytes();
      waiting_.push_back(std::move(memory));
      waiting_bytes_ += bytes;
    } catch (const std::bad_alloc&) {
      // Then nothing waits.
    }
  }

 private:
  static constexpr std::int64_t most_waiting = std::int64_t{256} << 20;
  std::mutex mutex_;
  std::vector<Memory> waiting_;
  std::int64_t waiting_bytes_ = 0;
};

}  // namespace gsan::ops
