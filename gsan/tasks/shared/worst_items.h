#pragma once
// Which items a model answers worst: Task::worst_items.

#include <functional>
#include <string>
#include <vector>

#include "gsan/tasks/task.h"

namespace gsan {

/// Where the `count` largest losses [n] are, the largest first and equal ones in their order; negative ones
/// do not count.
std::vector<std::int64_t> largest(const Tensor& losses, std::int64_t count);

/// Of a task whose answers are classes. `name` of the i-th item of the phase, in the order of its batches.
std::vector<JudgedItem> worst_classified(const Task& task, Model& model, Phase phase, std::int64_t count,
                                         const std::function<std::string(std::size_t)>& name);

/// Of answers that are numbers, by their distance to the true ones, [n] float64 each; NaN is unknown. `name`
/// of the i-th.
std::vector<JudgedItem> worst_valued(const Tensor& answers, const Tensor& truth, std::int64_t count,
                                     const std::function<std::string(std::int64_t)>& name);

}  // namespace gsan
