#include "gsan/tasks/shared/class_rules.h"
#include "gsan/tasks/shared/neighbor_rules.h"
#include "gsan/tasks/simplex_classification/task.h"

namespace gsan {

std::vector<RuleResult> SimplexClassification::rules(Phase phase) const {
  const auto classes = static_cast<int>(dataset_.class_names.size());
  const Items& judged = items_of(split_, phase);
  ClassRules all(labels_, classes, split_.train, judged);
  if (!all.is_possible()) return {};
  all.add_majority();
  const Tensor train = item_tensor(split_.train), rows = item_tensor(judged);
  const auto majority = torch::bincount(labels_.index_select(0, train)).argmax().item<std::int64_t>();
  const Tensor answers =
      neighbor_mode_rule(dataset_.complex, options_.order, labels_, train, static_cast<double>(majority));
  all.add_answers("majority of the neighbours", answers.to(torch::kInt64).index_select(0, rows));
  const auto k = static_cast<std::size_t>(options_.order);
  if (k < dataset_.features.size() && dataset_.features[k].defined())
    all.add_logistic("logistic regression on own features", dataset_.features[k].to(torch::kFloat64), 1,
                     true);
  return all.results();
}

}  // namespace gsan
