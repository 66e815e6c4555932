#include "gsan/tasks/graph_classification/task.h"
#include "gsan/tasks/shared/class_rules.h"
#include "gsan/tasks/shared/complex_tables.h"

namespace gsan {

std::vector<RuleResult> GraphClassification::rules(Phase phase) const {
  ClassRules all(dataset().labels, dataset().classes, split().train, items_of(split(), phase));
  if (!all.is_possible()) return {};
  const Tensor& features = sums_;
  all.add_majority();
  all.add_logistic("logistic regression on label counts and sizes", features, 1, true);
  all.add_forest("random forest on label counts and sizes", features, of_forest_);
  return all.results();
}

}  // namespace gsan
