#pragma once
// The micro-batches of the training batches of a task, and which of them a rank computes.

#include <vector>

#include "gsan/ranks/ranks.h"
#include "gsan/tasks/task.h"
#include "gsan/train/batch_prefetcher.h"

namespace gsan {

/// Micro-batch i of a batch of n items has its items n·i/count … n·(i + 1)/count − 1: sizes differ by one at
/// most. Borrows the task, whose batches can be divided.
class MicroBatches {
 public:
  MicroBatches(const Task& task, int count, const Ranks* ranks);

  int count() const { return count_; }

  /// Of the items of the batch; 0 where it has none. Losses are means over items: weighted by their shares
  /// they add up to that of the batch.
  double share(std::int64_t step, int micro_batch) const;

  /// The micro-batches that this rank computes in an epoch of the task, those without items left out, one
  /// after the other.
  BatchSequence sequence() const;
  std::int64_t number(std::int64_t step, int micro_batch) const;  ///< in the sequence
  Batch make(std::int64_t epoch, std::int64_t number) const;

 private:
  struct Range {
    std::int64_t first, last;
  };
  Range range(std::int64_t step, int micro_batch) const;
  std::vector<int> own(std::int64_t step) const;
  const Task& task_;
  int count_;
  int rank_ = 0, size_ = 1;
};

}  // namespace gsan
