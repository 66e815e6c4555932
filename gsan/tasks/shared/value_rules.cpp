#include "gsan/tasks/shared/value_rules.h"

#include "gsan/models/ridge_regression.h"
#include "gsan/tasks/shared/regression.h"

namespace gsan {

ValueRules::ValueRules(const Tensor& targets, const Items& train, const Items& judged)
    : train_(item_tensor(train)),
      judged_(item_tensor(judged)),
      train_targets_(targets.index_select(0, train_)),
      targets_(targets) {}

void ValueRules::add_mean_and_median() {
  if (!is_possible()) return;
  add_answers("mean of the targets", torch::full_like(targets_, mean()));
  add_answers("median of the targets", torch::full_like(targets_, train_targets_.median().item<double>()));
}

void ValueRules::add_answers(const std::string& name, const Tensor& values) {
  if (!is_possible()) return;
  ValueErrors errors;
  errors.add(values.index_select(0, judged_), targets_.index_select(0, judged_));
  results_.push_back({name, value_metrics(errors)});
}

void ValueRules::add_ridge(const std::string& name, const Tensor& features) {
  if (!is_possible() || features.size(1) == 0) return;
  const RidgeRegression model(features.index_select(0, train_), train_targets_);
  add_answers(name, model.values(features));
}

}  // namespace gsan
