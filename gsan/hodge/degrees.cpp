#include "gsan/hodge/degrees.h"

#include "gsan/core/check.h"

namespace gsan {

Tensor degrees(const ComplexOperators& operators, int k, int m) {
  GSAN_CHECK(k >= 0 && m >= k,
             "degrees: the order of the larger simplices must be at least that of the "
             "smaller ones, which must not be negative, got ",
             m, " and ", k);
  Tensor counts =
      torch::ones({operators.count(m), 1}, torch::dtype(torch::kFloat64).device(operators.device()));
  for (int j = m; j > k; --j) counts = operators.incidence(j).absolute_boundary(counts) / (j - k);
  return counts;
}

Tensor structural_features(const ComplexOperators& operators, int k, int top) {
  std::vector<Tensor> columns;
  for (int m = k + 1; m <= top; ++m) columns.push_back(degrees(operators, k, m).log1p());
  return columns.empty() ? degrees(operators, k, k) : torch::cat(columns, 1);
}

}  // namespace gsan
