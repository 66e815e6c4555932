#include "gsan/topology/homology.h"

#include "gsan/core/long_work.h"
#include "gsan/topology/detail/pair_reduction.h"
#include "gsan/topology/detail/prime_field.h"
#include "gsan/topology/detail/sparse_rank.h"

namespace gsan {

Homology homology(const SimplicialComplex& complex, const HomologyOptions& options) {
  const PrimeField field(options.field, "homology");
  const Limits limits{.max_memory = options.max_memory};
  Homology result;
  result.rank.assign(complex.order() + 2, 0);
  const LongWork work("Betti numbers");
  PairReduction pairs(complex, limits);
  // From below: the columns of B_k that turn out independent spare B_{k+1} as many rows.
  for (int k = 2; k <= complex.order(); ++k) {
    PairReduction::Remainder left = pairs.remainder(k, field, limits);
    std::vector<Index> pivots = independent_columns(std::move(left.columns), left.row_count, field, limits);
    result.rank[k] += static_cast<Index>(pivots.size());
    for (Index& pivot : pivots) pivot = left.cells[pivot];
    pairs.retire(k, pivots);
  }
  for (int k = 1; k <= complex.order(); ++k) result.rank[k] += pairs.pair_count(k);
  for (int k = 0; k <= complex.order(); ++k) {
    result.betti.push_back(complex.count(k) - result.rank[k] - result.rank[k + 1]);
  }
  return result;
}

std::vector<Index> betti_numbers(const SimplicialComplex& complex, const HomologyOptions& options) {
  return homology(complex, options).betti;
}

std::int64_t euler_characteristic(const SimplicialComplex& complex) {
  std::int64_t sum = 0;
  for (int k = 0; k <= complex.order(); ++k) sum += (k % 2 == 0 ? 1 : -1) * std::int64_t{complex.count(k)};
  return sum;
}

}  // namespace gsan
