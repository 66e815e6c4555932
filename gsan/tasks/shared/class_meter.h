#pragma once
// Metrics of answers that are classes.

#include "gsan/tasks/task.h"

namespace gsan {

/// "accuracy" in per cent and "loss", over the rows of the batches; unknown labels do not count.
/// details(): also "balanced_accuracy", "macro_f1", "auc" and, of two classes, "average_precision", all in
/// per cent; scores of the classes; confusion matrix. The AUC of two classes is that of the second; of more
/// it is the mean over each class against the rest, where it is defined. A metric that is not defined is left
/// out.
class ClassMeter final : public Meter {
 public:
  explicit ClassMeter(int classes);  ///< called by their numbers
  explicit ClassMeter(std::vector<std::string> class_names) : class_names_(std::move(class_names)) {}
  void add(const ModelOutput& output, const Batch& batch) override;
  void add(const Tensor& logits, const Tensor& labels);  ///< [n, classes], int64 [n]
  Metrics value() const override;
  MetricDetails details() const override;

 private:
  std::vector<std::string> class_names_;
  std::int64_t items_ = 0, correct_ = 0;
  double loss_ = 0;
  std::vector<Tensor> logits_, labels_;  // of the items with a known label
};

/// Logits of the readout as [items, classes], those of batch.rows where it has them.
Tensor class_logits(const ModelOutput& output, const Batch& batch, int classes);

/// Names, or the numbers below `count` where there are none.
std::vector<std::string> named_or_numbered(const std::vector<std::string>& names, std::int64_t count);

}  // namespace gsan
