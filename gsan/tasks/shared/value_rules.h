#pragma once
// Simple answers for targets that are numbers, fitted on the items to train on.

#include <string>
#include <vector>

#include "gsan/tasks/task.h"

namespace gsan {

class ValueRules {
 public:
  /// The items of all features: those of `train` are fitted on, those of `judged` counted. Targets float64
  /// [n], known for both.
  ValueRules(const Tensor& targets, const Items& train, const Items& judged);

  /// False where there is nothing to fit on or to judge: results() stays empty.
  bool is_possible() const { return train_.numel() > 0 && judged_.numel() > 0; }

  double mean() const { return train_targets_.mean().item<double>(); }  ///< of the targets to train on

  void add_mean_and_median();
  void add_answers(const std::string& name, const Tensor& values);  ///< [n], one per item of the data
  void add_ridge(const std::string& name, const Tensor& features);  ///< [n, F]

  const std::vector<RuleResult>& results() const { return results_; }

 private:
  Tensor train_, judged_;  // rows
  Tensor train_targets_, targets_;
  std::vector<RuleResult> results_;
};

}  // namespace gsan
