#pragma once
// Metrics of candidates: does a simplex belong to the complex?

#include "gsan/tasks/task.h"

namespace gsan {

/// "auc" in per cent, where both classes occur, and "loss"; unknown labels do not count.
/// details(): also "average_precision", and of the answers at probability 0.5 "accuracy",
/// "balanced_accuracy" and "f1" of the simplices that belong to the complex, all in per cent; scores of both
/// classes; confusion matrix.
class CandidateMeter final : public Meter {
 public:
  void add(const ModelOutput& output, const Batch& batch) override;
  void add(const Tensor& scores, const Tensor& labels);  ///< [n] each
  Metrics value() const override;
  MetricDetails details() const override;

 private:
  std::vector<Tensor> scores_, labels_;
};

}  // namespace gsan
