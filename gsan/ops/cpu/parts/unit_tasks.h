#pragma once
// How the threads share a layer on a batch of parts. Parts are joined to units, and each input of the layer
// on a unit is a task: its terms do not read those of other inputs, and what they work on stays in a cache,
// with the matrix of the input. Units, and with them all sums, follow from the sizes of the parts alone.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "gsan/ops/cpu/parts/unit.h"
#include "gsan/ops/cpu/share_range.h"
#include "gsan/ops/part_layer.h"

namespace gsan::ops {

/// What a thread computes at a time: the terms of one input on one unit.
struct UnitTask {
  std::size_t unit, input;
  std::int64_t work;  ///< about: rows times columns of the products
};

class UnitTasks {
 public:
  explicit UnitTasks(const PartLayer& layer);

  const std::vector<Unit>& units() const { return units_; }
  const std::vector<UnitTask>& tasks() const { return tasks_; }  ///< those with the most work first

  /// compute(number of the task) for all of them, each thread taking the next one when it is done, and
  /// finish(number of the unit) by the thread that ends the last task of a unit.
  template <class Compute, class Finish>
  void share(const Compute& compute, const Finish& finish) const {
    const auto left = std::make_unique<std::atomic<int>[]>(units_.size());
    for (const UnitTask& task : tasks_) ++left[task.unit];
    run_workers(tasks_.size(), [&](std::size_t t) {
      compute(t);
      if (--left[tasks_[t].unit] == 0) finish(tasks_[t].unit);
    });
    if (tasks_.empty())
      for (std::size_t u = 0; u < units_.size(); ++u) finish(u);
  }

  /// compute(number of the unit) for all of them.
  template <class Compute>
  void for_units(const Compute& compute) const {
    run_workers(units_.size(), compute);
  }

 private:
  // Calls compute(i), i = 0 … count − 1, by as many threads as the work is worth waking up.
  template <class Compute>
  void run_workers(std::size_t count, const Compute& compute) const {
    std::atomic<std::size_t> next = 0;
    const std::int64_t workers = std::min({static_cast<std::int64_t>(at::get_num_threads()),
                                           static_cast<std::int64_t>(count), 1 + work_ / work_of_thread});
    share_range(0, workers, 1, [&](std::int64_t, std::int64_t) {
      for (std::size_t i; (i = next++) < count;) compute(i);
    });
  }

  static constexpr std::int64_t work_of_thread = std::int64_t{1} << 15;
  std::vector<Unit> units_;
  std::vector<UnitTask> tasks_;
  std::int64_t work_ = 0;  // of all tasks
};

}  // namespace gsan::ops
