#pragma once
// How the threads share a layer on a batch of parts. Small parts are joined to units, which a thread takes
// through the whole layer; a unit that is much of the batch is cut by the inputs of the layer, whose terms do
// not read each other. Units, and with them all sums, follow from the sizes of the parts alone.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include <ATen/Parallel.h>

#include "gsan/ops/cpu/parts/unit.h"
#include "gsan/ops/part_layer.h"

namespace gsan::ops {

/// What a thread computes at a time: the terms of the inputs first_input … last_input − 1 on one unit.
struct UnitTask {
  std::size_t unit, first_input, last_input;
  bool is_whole;      ///< all inputs of the unit
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
    std::atomic<std::size_t> next = 0;
    const auto workers =
        std::min<std::int64_t>(at::get_num_threads(), static_cast<std::int64_t>(tasks_.size()));
    at::parallel_for(0, workers, 1, [&](std::int64_t, std::int64_t) {
      for (std::size_t t; (t = next++) < tasks_.size();) {
        compute(t);
        if (--left[tasks_[t].unit] == 0) finish(tasks_[t].unit);
      }
    });
  }

 private:
  std::vector<Unit> units_;
  std::vector<UnitTask> tasks_;
};

}  // namespace gsan::ops
