#pragma once
// What the Dirac component D^(j) says about signals on two neighbouring orders (spec 7). Its
// eigenvectors are [u; v]/√2 at +σ (aligned: the orders swing together) and [u; −v]/√2 at −σ
// (anti-aligned). Both carry the same u on order j − 1 as v = B_jᵀ u / σ on order j, which embeds
// the one order into the other without changing lengths.

#include "gsan/hodge/spectral/spectrum.h"

namespace gsan {

/// Orthogonal projections on the span of the +σ and of the −σ eigenvectors.
struct AlignedParts {
  Cochains aligned;       ///< Σ w⁺ ⟨w⁺, x⟩, w⁺ = [u; v]/√2
  Cochains anti_aligned;  ///< Σ w⁻ ⟨w⁻, x⟩, w⁻ = [u; −v]/√2
};

/// The parts of x in component j; their sum is the projection of x on im D^(j) when the spectrum
/// is complete, and on the computed eigenvectors when it is partial. Undefined x_k counts as zero.
AlignedParts aligned_parts(const DiracSpectrum& spectrum, int j, const Cochains& x);

/// V Uᵀ x: a signal [..., N_{j−1}, F] as seen on order j; each mode u becomes v = B_jᵀ u / σ.
Tensor embed_upward(const SingularSpectrum& component, const Tensor& x);

/// U Vᵀ x: a signal [..., N_j, F] as seen on order j − 1; each mode v becomes u = B_j v / σ.
Tensor embed_downward(const SingularSpectrum& component, const Tensor& x);

}  // namespace gsan
