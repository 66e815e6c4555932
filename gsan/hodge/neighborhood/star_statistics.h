#pragma once
// Which attention kernel suits the stars of an order.

#include <cstdint>

#include "gsan/topology/complex.h"

namespace gsan {

/// The structure that ops/attention.h is given.
enum class AttentionKernel {
  automatic,  ///< by star_statistic()
  pairs,      ///< every pair of neighbours: best where stars are small
  stars,      ///< sums over sorted stars: best where there are hubs
  reference,  ///< pair by pair through the ops of pairs.h and segments.h
};

/// Σ_f deg(f)² / nnz(B_k) over the faces f of the simplices of order k, deg(f) the size of the star of f: how
/// many neighbours (itself included) an incidence meets on average. 0 where there is no incidence.
double star_statistic(const SimplicialComplex& complex, int k);

/// The faster kernel for stars of this statistic and `features` features per head: pairs below 12, stars
/// above 16; between, stars up to 32 features. Never another.
AttentionKernel choose_kernel(double statistic, std::int64_t features);

}  // namespace gsan
