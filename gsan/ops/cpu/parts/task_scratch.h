#pragma once
// Memory for what the tasks of a call make and others read.

#include <vector>

#include "gsan/ops/cpu/parts/unit_tasks.h"

namespace gsan::ops {

/// Memory of the pool for each task, for as long as this lives. It is taken and given back in the order of
/// the tasks, not when threads come to them: a step that is repeated finds for each what that has grown to.
template <class T>
class PooledScratch {
 public:
  PooledScratch() = default;
  explicit PooledScratch(const UnitTasks& tasks) : memories_(tasks.tasks().size()) {
    for (auto& memory : memories_) memory = PartScratchPool<T>::instance().take();
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

}  // namespace gsan::ops
