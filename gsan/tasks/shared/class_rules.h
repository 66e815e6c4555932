#pragma once
// Simple classifiers on a table of features, fitted on the items to train on.

#include <string>
#include <vector>

#include "gsan/core/random.h"
#include "gsan/tasks/task.h"

namespace gsan {

class ClassRules {
 public:
  /// The items of all features: those of `train` are fitted on, those of `judged` counted. Labels int64 [n].
  ClassRules(const Tensor& labels, int classes, const Items& train, const Items& judged);

  /// False where there is nothing to fit on or to judge: results() stays empty.
  bool is_possible() const;

  void add_majority();
  void add_answers(const std::string& name, const Tensor& classes);  ///< int64, one per judged item
  void add_logistic(const std::string& name, const Tensor& features, double C, bool standardize);
  void add_forest(const std::string& name, const Tensor& features, const RandomStream& stream);

  const std::vector<RuleResult>& results() const { return results_; }

 private:
  Tensor train_, judged_;  // rows
  Tensor train_labels_, labels_;
  int classes_;
  std::vector<RuleResult> results_;
};

}  // namespace gsan
