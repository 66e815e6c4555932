#pragma once
// Betti numbers, exactly, by ranks over a prime field F_p (spec 7):
//   β_k = N_k − rank B_k − rank B_{k+1}.
// Over F_p they equal dim ker L_k unless the integral homology has p-torsion; the
// default p = 2^31 − 1 makes that all but impossible for complexes met in practice.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gsan/topology/complex.h"
#include "gsan/topology/limits.h"

namespace gsan {

struct HomologyOptions {
  std::int64_t field = 2147483647;               ///< a prime p < 2^31
  std::size_t max_memory = Limits{}.max_memory;  ///< bytes of scratch; more is Fault::resource
};

struct Homology {
  std::vector<Index> betti;  ///< β_0 … β_K, K = order(); nothing for the empty complex
  std::vector<Index> rank;   ///< rank[k] = rank of B_k, k = 0 … K + 1 (the first and the last are 0)
};

Homology homology(const SimplicialComplex& complex, const HomologyOptions& options = {});

/// The Betti numbers alone.
std::vector<Index> betti_numbers(const SimplicialComplex& complex, const HomologyOptions& options = {});

/// Σ_k (−1)^k N_k = Σ_k (−1)^k β_k, whatever the field.
std::int64_t euler_characteristic(const SimplicialComplex& complex);

}  // namespace gsan
