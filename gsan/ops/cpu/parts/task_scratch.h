#pragma once
// Memory for what the tasks of a call make.

#include <vector>

#include "gsan/ops/cpu/parts/unit_tasks.h"

namespace gsan::ops {

/// Memory of the pool for as long as this lives.
template <class T>
class PooledScratch {
 public:
  explicit PooledScratch(std::size_t count) : memories_(count) {}
  PooledScratch(PooledScratch&&) = default;
  PooledScratch& operator=(PooledScratch&&) = default;
  ~PooledScratch() {
    for (auto& one : memories_)
      if (one) PartScratchPool<T>::instance().put(std::move(one));
  }
  /// Number i, taken when it is asked for.
  PartScratch<T>& operator[](std::size_t i) {
    if (!memories_[i]) memories_[i] = PartScratchPool<T>::instance().take();
    return *memories_[i];
  }

 private:
  std::vector<typename PartScratchPool<T>::Memory> memories_;
};

/// What a task makes: in memory of its thread where nobody else reads it, else in memory that lives as long
/// as this.
template <class T>
class TaskScratch {
 public:
  explicit TaskScratch(const UnitTasks& tasks) : tasks_(tasks), shared_(tasks.tasks().size()) {}
  PartScratch<T>& of(std::size_t task) {
    return tasks_.tasks()[task].is_whole ? PartScratch<T>::of_thread() : shared_[task];
  }

 private:
  const UnitTasks& tasks_;
  PooledScratch<T> shared_;
};

}  // namespace gsan::ops
