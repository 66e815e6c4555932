#pragma once
// What all tasks with one class per item share: items in mini-batches, cross entropy, accuracy.

#include "gsan/data/split.h"
#include "gsan/hodge/reordered_complex.h"
#include "gsan/tasks/task.h"

namespace gsan {

/// Where the tensors of a task live, and in which order its complex is computed; items, rows and predictions
/// keep the order of the data.
struct Placement {
  torch::ScalarType type = torch::kFloat32;
  torch::Device device = torch::kCPU;
  VertexOrder order = VertexOrder::given;
};

struct ClassificationOptions {
  int batch_size = 36;
  Protocol protocol = Protocol::strict;
  Placement placement{};
};

/// An item may have an unknown label (unknown_label): it must then be in no part to train on, and no number
/// counts it. Training visits the items in an order that depends on (stream, epoch) alone; the other phases
/// in theirs.
class Classification : public Task {
 public:
  std::int64_t batch_count(Phase phase, std::int64_t epoch) const override;
  Batch batch(Phase phase, std::int64_t epoch, std::int64_t step) const override;
  Tensor loss(const ModelOutput& output, const Batch& batch) const override;  ///< mean cross entropy
  std::unique_ptr<Meter> meter(Phase phase) const override;
  std::string choosing_metric() const override { return "accuracy"; }
  std::string tie_metric() const override { return "loss"; }
  std::vector<std::pair<std::string, Items>> parts() const override;
  bool has_costly_batches() const override { return true; }

 protected:
  Classification(Split split, int classes, const RandomStream& stream, const ClassificationOptions& options);
  const Placement& placement() const { return options_.placement; }
  Protocol protocol() const { return options_.protocol; }
  const Split& split() const { return split_; }

  /// Signals and labels of these items.
  virtual Batch batch_of(std::span<const std::int64_t> items) const = 0;

 private:
  Split split_;
  int classes_;
  RandomStream order_;
  ClassificationOptions options_;
};

/// Logits of the readout as [items, classes], those of batch.rows where it has them.
Tensor class_logits(const ModelOutput& output, const Batch& batch, int classes);

/// "accuracy" in per cent and "loss", over the rows of the batches; unknown labels do not count.
class ClassMeter final : public Meter {
 public:
  explicit ClassMeter(int classes) : classes_(classes) {}
  void add(const ModelOutput& output, const Batch& batch) override;
  void add(const Tensor& logits, const Tensor& labels);  ///< [n, classes], int64 [n]
  Metrics value() const override;

 private:
  int classes_;
  std::int64_t items_ = 0, correct_ = 0;
  double loss_ = 0;
};

}  // namespace gsan
