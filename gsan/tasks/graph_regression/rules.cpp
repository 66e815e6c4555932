#include "gsan/tasks/graph_regression/task.h"
#include "gsan/tasks/shared/value_rules.h"

namespace gsan {

std::vector<RuleResult> GraphRegression::rules(Phase phase) const {
  ValueRules all(targets_, split().train, items_of(split(), phase));
  if (!all.is_possible()) return {};
  all.add_mean_and_median();
  all.add_ridge("ridge regression on label counts and sizes", sums_);
  return all.results();
}

}  // namespace gsan
