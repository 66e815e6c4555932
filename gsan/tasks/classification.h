#pragma once
// What all tasks with one class per item share: items in mini-batches, cross entropy, accuracy.

#include "gsan/data/split.h"
#include "gsan/tasks/task.h"

namespace gsan {

struct ClassificationOptions {
  int batch_size = 36;
  torch::ScalarType type = torch::kFloat32;
  torch::Device device = torch::kCPU;
};

/// Training visits the items in an order that depends on (stream, epoch) alone; the other phases in theirs.
class Classification : public Task {
 public:
  std::int64_t batch_count(Phase phase, std::int64_t epoch) const override;
  Batch batch(Phase phase, std::int64_t epoch, std::int64_t step) const override;
  Tensor loss(const ModelOutput& output, const Batch& batch) const override;  ///< mean cross entropy
  std::unique_ptr<Meter> meter(Phase phase) const override;
  std::string choosing_metric() const override { return "accuracy"; }

 protected:
  Classification(Split split, int classes, const RandomStream& stream, const ClassificationOptions& options);
  const ClassificationOptions& options() const { return options_; }

  /// Signals and labels of these items.
  virtual Batch batch_of(std::span<const std::int64_t> items) const = 0;

 private:
  Split split_;
  int classes_;
  RandomStream order_;
  ClassificationOptions options_;
};

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

}  // namespace gsan
