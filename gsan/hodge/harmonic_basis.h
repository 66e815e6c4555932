#pragma once
// An orthonormal basis of the harmonic signals of order k, ker L_k.

#include <cstdint>

#include "gsan/hodge/decomposition.h"

namespace gsan {

struct HarmonicBasisOptions {
  double tolerance = 1e-8;  ///< |B_k h| and |B_{k+1}ᵀ h| of each basis vector h are at most this
  std::uint64_t seed = 0;   ///< chooses the basis; the same seed gives the same numbers
  int max_iterations = 20000;
};

/// [N_k, β_k] float64 on the device of the operators, the columns orthonormal to rounding. β_k comes
/// from exact homology (topology/homology.h), so no dimension is lost or invented: as many random
/// signals are projected on the harmonic space, which keeps them independent, and made orthonormal.
/// Fault::numeric when the tolerance is not reached.
Tensor harmonic_basis(const ComplexOperators& operators, int k, const HarmonicBasisOptions& options = {});

/// H (Hᵀ x), the projection of x [..., N_k, F] on the harmonic signals themselves, where HarmonicProjector
/// takes steps towards it; differentiable. H, of N_k · β_k numbers, is made once and kept with the operators,
/// in their orientation; Fault::resource when it would exceed their max_memory().
Tensor harmonic_part(const ComplexOperators& operators, int k, const Tensor& x);

}  // namespace gsan
