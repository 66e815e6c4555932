#include "gsan/hodge/harmonic_basis.h"
#include "gsan/tasks/shared/class_rules.h"
#include "gsan/tasks/trajectory/task.h"

namespace gsan {
namespace {

constexpr std::int64_t most_coordinates = 50;  // squares and products: 1275 more

// [S, n] → [S, n + n(n+1)/2]
Tensor with_products(const Tensor& x) {
  std::vector<Tensor> columns{x};
  for (std::int64_t i = 0; i < x.size(1); ++i)
    columns.push_back(x.slice(1, i, x.size(1)) * x.slice(1, i, i + 1));
  return torch::cat(columns, 1);
}

}  // namespace

// x as it is oriented. The harmonic coordinates follow any orientation of signals and complex together: those
// of the data are taken.
std::vector<RuleResult> Trajectory::rules(Phase phase) const {
  ClassRules all(dataset_.labels, dataset_.classes, split().train, items_of(split(), phase));
  if (!all.is_possible()) return {};
  const Tensor x = dataset_.signals.to(torch::kFloat64);  // [S, N, F]
  all.add_majority();
  all.add_logistic("logistic regression on x", signals_.to(torch::kCPU, torch::kFloat64).flatten(1), 1,
                   false);
  all.add_logistic("logistic regression on |x|", x.flatten(1).abs(), 1, false);
  const Tensor basis = harmonic_basis(ComplexOperators(dataset_.complex), dataset_.order);  // [N, betti]
  const Tensor coordinates = torch::matmul(basis.t(), x).flatten(1);
  all.add_logistic("logistic regression on harmonic coordinates", coordinates, 100, false);
  if (coordinates.size(1) <= most_coordinates)
    all.add_logistic("logistic regression on harmonic coordinates, squares and products",
                     with_products(coordinates), 100, false);
  return all.results();
}

}  // namespace gsan
