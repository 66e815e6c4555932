#pragma once
// What all tasks with one class per item share: cross entropy, and accuracy over the items.

#include "gsan/tasks/task.h"

namespace gsan {

/// Logits of the readout as [items, classes]: pooled output of P complexes, or of B signals on one.
Tensor class_logits(const ModelOutput& output, int classes);

/// Mean cross entropy over the items.
Tensor cross_entropy(const ModelOutput& output, const Batch& batch, int classes);

/// "accuracy" in per cent and "loss".
class ClassMeter final : public Meter {
 public:
  explicit ClassMeter(int classes) : classes_(classes) {}
  void add(const ModelOutput& output, const Batch& batch) override;
  Metrics value() const override;

 private:
  int classes_;
  std::int64_t items_ = 0, correct_ = 0;
  double loss_ = 0;
};

/// The order in which items are visited in an epoch: a permutation that depends on (stream, epoch) alone.
std::vector<std::int64_t> epoch_order(std::span<const std::int64_t> items, const RandomStream& stream,
                                      std::int64_t epoch);

/// Items step · size … of the list, and how many such batches there are.
std::span<const std::int64_t> batch_of(std::span<const std::int64_t> items, std::int64_t step,
                                       std::int64_t size);
std::int64_t batches_of(std::int64_t items, std::int64_t size);

}  // namespace gsan
