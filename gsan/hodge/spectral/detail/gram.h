#pragma once
// Extreme singular triplets of a B with one short side, by a dense decomposition of the Gram matrix of that
// side, B Bᵀ or Bᵀ B: where many eigenvalues lie close together, as around hubs, no iteration tells them
// apart in less time.

#include "gsan/hodge/spectral/singular.h"

namespace gsan {

/// The one place where something of size N × N is stored, and the largest N for which it is.
inline constexpr std::int64_t largest_gram = 4096;

/// Whether the shorter side is short enough, its matrix within options.max_memory, and B plain: scalings may
/// spread singular values over more orders of magnitude than their squares can hold.
bool has_gram(const Incidence& B, const SpectrumOptions& options);

/// options.count triplets at options.end, or as many as there are. Eigenvalues below N ε λ_max count as zero.
SingularSpectrum gram_singular_triplets(const Incidence& B, const SpectrumOptions& options);

}  // namespace gsan
