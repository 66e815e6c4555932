#pragma once
// Memory for what the tasks of a call make.

#include <vector>

#include "gsan/ops/cpu/parts/unit_tasks.h"

namespace gsan::ops {

/// Memory of the pool for as long as this lives. It is taken and given back in the order of the tasks, not
/// when threads come to them: a step that is repeated finds for each what that has grown to.
template <class T>
class PooledScratch {
 public:
  PooledScratch() = default;
  /// One for each task that `needs` one.
  template <class Needs>
  PooledScratch(const UnitTasks& tasks, const Needs& needs) : memories_(tasks.tasks().size()) {
    for (std::size_t t = 0; t < memories_.size(); ++t)
      if (needs(tasks.tasks()[t])) memories_[t] = PartScratchPool<T>::instance().take();
  }
  PooledScratch(PooledScratch&&) = default;
  PooledScratch& operator=(PooledScratch&&) = default;
  ~PooledScratch() {
    for (std::size_t t = memories_.size(); t-- > 0;)
      if (memories_[t]) PartScratchPool<T>::instance().put(std::move(memories_[t]));
  }
  PartScratch<T>& operator[](std::size_t task) { return *memories_[task]; }

 private:
  std::vector<typename PartScratchPool<T>::Memory> memories_;
};

/// What a task makes: in memory of its thread where nobody else reads it, else in memory that lives as long
/// as this.
template <class T>
class TaskScratch {
 public:
  explicit TaskScratch(const UnitTasks& tasks)
      : tasks_(tasks), shared_(tasks, [](const UnitTask& task) { return !task.is_whole; }) {}
  PartScratch<T>& of(std::size_t task) {
    return tasks_.tasks()[task].is_whole ? PartScratch<T>::of_thread() : shared_[task];
  }

 private:
  const UnitTasks& tasks_;
  PooledScratch<T> shared_;
};

}  // namespace gsan::ops
