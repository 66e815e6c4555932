#include "gsan/train/micro_batches.h"

#include <algorithm>

#include "gsan/train/divided_step.h"

namespace gsan {

MicroBatches::MicroBatches(const Task& task, int count, const Ranks* ranks) : task_(task), count_(count) {
  if (ranks != nullptr) rank_ = ranks->rank(), size_ = ranks->size();
}

MicroBatches::Range MicroBatches::range(std::int64_t step, int micro_batch) const {
  const std::int64_t items = task_.divisible_items(step);
  return {items * micro_batch / count_, items * (micro_batch + 1) / count_};
}

double MicroBatches::share(std::int64_t step, int micro_batch) const {
  const Range part = range(step, micro_batch);
  return static_cast<double>(part.last - part.first) / static_cast<double>(task_.divisible_items(step));
}

std::vector<int> MicroBatches::own(std::int64_t step) const {
  std::vector<int> found = micro_batches_of(rank_, size_, count_);
  std::erase_if(found, [&](int i) { return share(step, i) == 0; });
  return found;
}

// All batches but the last have as many items, and so as many micro-batches of this rank with some.
std::int64_t MicroBatches::number(std::int64_t step, int micro_batch) const {
  const std::vector<int> now = own(step);
  const auto at = std::find(now.begin(), now.end(), micro_batch) - now.begin();
  return step * std::ssize(own(0)) + at;
}

Batch MicroBatches::make(std::int64_t epoch, std::int64_t number) const {
  const std::int64_t each = std::ssize(own(0)), last = task_.batch_count(Phase::train, epoch) - 1;
  const std::int64_t step = each == 0 ? last : std::min(number / each, last);
  const Range part = range(step, own(step).at(static_cast<std::size_t>(number - step * each)));
  return task_.batch_part(epoch, step, part.first, part.last);
}

BatchSequence MicroBatches::sequence() const {
  const auto count = [this](std::int64_t epoch) {
    const std::int64_t steps = task_.batch_count(Phase::train, epoch);
    return (steps - 1) * std::ssize(own(0)) + std::ssize(own(steps - 1));
  };
  return {count, [this](std::int64_t epoch, std::int64_t number) { return make(epoch, number); }};
}

}  // namespace gsan
