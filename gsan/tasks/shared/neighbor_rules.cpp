#include "gsan/tasks/shared/neighbor_rules.h"

#include <map>
#include <vector>

namespace gsan {
namespace {

// Calls visit(j) for every neighbour j of i.
template <class Visitor>
void visit_neighbors(const SimplicialComplex& complex, int k, Index i, const Visitor& visit) {
  if (k < complex.order()) {
    for (const Index coface : complex.cofaces(k, i))
      for (const Index j : complex.faces(k + 1, coface))
        if (j != i) visit(j);
  } else if (k > 0) {
    for (const Index face : complex.faces(k, i))
      for (const Index j : complex.cofaces(k - 1, face))
        if (j != i) visit(j);
  }
}

// answer(values of the known neighbours of a simplex) where there are any.
template <class Answer>
Tensor neighbor_rule(const SimplicialComplex& complex, int order, const Tensor& values, const Tensor& known,
                     double otherwise, const Answer& answer) {
  const Tensor truth = values.to(torch::kCPU, torch::kFloat64).contiguous();
  const double* value = truth.const_data_ptr<double>();
  std::vector<bool> is_known(static_cast<std::size_t>(truth.size(0)));
  const Tensor rows = known.contiguous();
  for (std::int64_t e = 0; e < rows.numel(); ++e) is_known[rows.const_data_ptr<std::int64_t>()[e]] = true;
  Tensor found = torch::full_like(truth, otherwise);
  double* result = found.mutable_data_ptr<double>();
  std::vector<double> seen;
  for (Index i = 0; i < complex.count(order); ++i) {
    seen.clear();
    visit_neighbors(complex, order, i, [&](Index j) {
      if (is_known[j]) seen.push_back(value[j]);
    });
    if (!seen.empty()) result[i] = answer(seen);
  }
  return found;
}

}  // namespace

Tensor neighbor_mode_rule(const SimplicialComplex& complex, int order, const Tensor& values,
                          const Tensor& known, double otherwise) {
  return neighbor_rule(complex, order, values, known, otherwise, [](const std::vector<double>& seen) {
    std::map<double, int> votes;  // by increasing value: of several the smallest wins
    for (const double value : seen) ++votes[value];
    auto best = votes.begin();
    for (auto vote = votes.begin(); vote != votes.end(); ++vote)
      if (vote->second > best->second) best = vote;
    return best->first;
  });
}

Tensor neighbor_mean_rule(const SimplicialComplex& complex, int order, const Tensor& values,
                          const Tensor& known, double otherwise) {
  return neighbor_rule(complex, order, values, known, otherwise, [](const std::vector<double>& seen) {
    double sum = 0;
    for (const double value : seen) sum += value;
    return sum / static_cast<double>(seen.size());
  });
}

}  // namespace gsan
