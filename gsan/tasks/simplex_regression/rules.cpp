#include "gsan/tasks/shared/neighbor_rules.h"
#include "gsan/tasks/shared/value_rules.h"
#include "gsan/tasks/simplex_regression/task.h"

namespace gsan {

std::vector<RuleResult> SimplexRegression::rules(Phase phase) const {
  ValueRules all(targets_, split_.train, items_of(split_, phase));
  if (!all.is_possible()) return {};
  all.add_mean_and_median();
  all.add_answers("mean of the neighbours", neighbor_mean_rule(dataset_.complex, options_.order, targets_,
                                                               item_tensor(split_.train), all.mean()));
  const auto k = static_cast<std::size_t>(options_.order);
  if (k < dataset_.features.size() && dataset_.features[k].defined())
    all.add_ridge("ridge regression on own features", dataset_.features[k].to(torch::kFloat64));
  return all.results();
}

}  // namespace gsan
