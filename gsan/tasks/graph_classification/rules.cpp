#include "gsan/tasks/graph_classification/task.h"
#include "gsan/tasks/shared/class_rules.h"

namespace gsan {

Tensor sums_and_sizes(const ComplexDataset& dataset) {
  std::vector<Tensor> rows;
  for (std::size_t i = 0; i < dataset.complexes.size(); ++i) {
    std::vector<double> sizes;
    for (int k = 0; k <= dataset.order(); ++k) sizes.push_back(dataset.complexes[i].count(k));
    const Tensor of_sizes = torch::tensor(sizes, torch::kFloat64);
    rows.push_back(dataset.widths[0] > 0
                       ? torch::cat({dataset.features[i][0].to(torch::kFloat64).sum(0), of_sizes})
                       : of_sizes);
  }
  return torch::stack(rows);
}

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
