#include "gsan/laws/defects.h"

#include <algorithm>

#include "gsan/laws/measures.h"
#include "gsan/topology/disjoint_union.h"

namespace gsan::laws {
namespace {

double relative_difference(const Cochains& y, const Cochains& expected) {
  return largest_difference(y, expected) / std::max(1.0, largest(expected));
}

// Order k of the result: the defined ones of order k, one after the other.
Cochains concatenated(const std::vector<Cochains>& parts) {
  Cochains all;
  for (const Cochains& part : parts) all.resize(std::max(all.size(), part.size()));
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::vector<Tensor> rows;
    for (const Cochains& part : parts)
      if (k < part.size() && part[k].defined()) rows.push_back(part[k]);
    if (!rows.empty()) all[k] = torch::cat(rows, -2);
  }
  return all;
}

}  // namespace

double renaming_defect(const CochainMap& map, const ComplexOperators& operators, const MappedComplex& mapped,
                       const Cochains& x) {
  const ComplexOperators renamed(mapped.complex, {operators.device(), operators.max_memory()});
  return relative_difference(map(renamed, moved(mapped, x)), moved(mapped, map(operators, x)));
}

double batch_defect(const CochainMap& map, const std::vector<SimplicialComplex>& parts,
                    const std::vector<Cochains>& x, const OperatorOptions& where) {
  std::vector<Cochains> alone;
  for (std::size_t p = 0; p < parts.size(); ++p)
    alone.push_back(map(ComplexOperators(parts[p], where), x[p]));
  return relative_difference(map(ComplexOperators(disjoint_union(parts), where), concatenated(x)),
                             concatenated(alone));
}

double one_by_one_defect(const CochainMap& map, const ComplexOperators& operators, const Cochains& x) {
  const auto signals = [](const Tensor& all) {
    std::int64_t count = 1;
    for (std::int64_t d = 0; d < all.dim() - 2; ++d) count *= all.size(d);
    return all.reshape({count, all.size(-2), all.size(-1)});
  };
  const Cochains y = map(operators, x);
  std::int64_t count = 0;
  for (const Tensor& all : x)
    if (all.defined()) count = signals(all).size(0);
  Worst worst;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto one = [&](const Cochains& all) {
      Cochains of_one;
      for (const Tensor& order : all) of_one.push_back(order.defined() ? signals(order)[i] : order);
      return of_one;
    };
    worst.see(relative_difference(map(operators, one(x)), one(y)));
  }
  return worst.value();
}

double attention_row_defect(const LayerOutput& output, const ComplexOperators& operators) {
  Worst worst;
  for (const AttentionWeights& alpha : output.attention) {
    std::vector<std::int64_t> shape = alpha.weights.sizes().vec();
    shape[shape.size() - 2] = operators.count(alpha.order);
    const Tensor sums = torch::zeros(shape, alpha.weights.options())
                            .index_add_(-2, alpha.receivers.to(torch::kInt64), alpha.weights);
    worst.see(largest(sums - 1));
  }
  return worst.value();
}

}  // namespace gsan::laws
