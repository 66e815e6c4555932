#include "gsan/tasks/shared/neighbor_rules.h"

#include <algorithm>
#include <map>
#include <vector>

#include "gsan/hodge/facets.h"

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

std::vector<bool> flags(const Tensor& rows, std::int64_t count) {
  std::vector<bool> flags(static_cast<std::size_t>(count));
  const Tensor numbers = rows.contiguous();
  for (std::int64_t e = 0; e < numbers.numel(); ++e) flags[numbers.const_data_ptr<std::int64_t>()[e]] = true;
  return flags;
}

// answer(values of the known neighbours of a simplex) where there are any.
template <class Answer>
Tensor neighbor_rule(const SimplicialComplex& complex, int order, const Tensor& values, const Tensor& known,
                     double otherwise, const Answer& answer) {
  const Tensor truth = values.to(torch::kCPU, torch::kFloat64).contiguous();
  const double* value = truth.const_data_ptr<double>();
  const std::vector<bool> is_known = flags(known, truth.size(0));
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

Tensor facet_sum_rule(const ComplexOperators& operators, int order, const Tensor& values, const Tensor& known,
                      double otherwise) {
  const FacetMembers& table = facet_members(operators, order);
  const Tensor offsets = table.offsets.cpu(), members = table.members.cpu();
  const auto* first = offsets.const_data_ptr<std::int64_t>();
  const auto* member = members.const_data_ptr<std::int64_t>();
  const Tensor truth = values.to(torch::kCPU, torch::kFloat64).contiguous();
  const double* value = truth.const_data_ptr<double>();
  const std::vector<bool> is_known = flags(known, truth.size(0));
  Tensor found = torch::zeros_like(truth);
  double* sum = found.mutable_data_ptr<double>();
  std::vector<bool> has_any(is_known.size());
  std::vector<std::int64_t> seen;  // known members of a facet, the least first
  for (std::int64_t f = 0; f + 1 < offsets.numel(); ++f) {
    seen.clear();
    for (std::int64_t e = first[f]; e < first[f + 1]; ++e)
      if (is_known[member[e]]) seen.push_back(member[e]);
    const auto kept = std::min<std::ptrdiff_t>(2, std::ssize(seen));  // the second least is that of the least
    std::partial_sort(seen.begin(), seen.begin() + kept, seen.end(),
                      [&](std::int64_t a, std::int64_t b) { return value[a] < value[b]; });
    for (std::int64_t e = first[f]; e < first[f + 1]; ++e) {
      const std::ptrdiff_t least = kept > 0 && seen[0] == member[e] ? 1 : 0;
      if (least >= kept) continue;
      sum[member[e]] += value[seen[least]];
      has_any[member[e]] = true;
    }
  }
  for (std::size_t i = 0; i < has_any.size(); ++i)
    if (!has_any[i]) sum[i] = otherwise;
  return found;
}

}  // namespace gsan
