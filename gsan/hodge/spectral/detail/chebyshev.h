#pragma once
// A few extreme singular triplets of a large B, by Chebyshev-filtered subspace iteration (Zhou,
// Saad, Tiago, Chelikowsky, 2006): products with B and Bᵀ only, memory linear in the block.
//
// A block of vectors is filtered by a polynomial of A = B Bᵀ (or Bᵀ B, the smaller) that is large
// at the wanted end of the spectrum and small elsewhere, then replaced by its Ritz vectors. Being
// a block of random vectors it meets every eigenspace in as many dimensions as it has, so multiple
// singular values come with all their copies.

#include "gsan/hodge/spectral/singular.h"

namespace gsan {

/// Width of the block that finds `count` triplets.
std::int64_t chebyshev_block(std::int64_t count);

/// options.count triplets at options.end; rank B must be at least chebyshev_block(count).
/// Never returns a zero singular value: the Ritz vectors are kept in the image of Bᵀ (of B). The
/// tolerance is met up to rounding: |Bᵀu − σv| of 64 ε λ̄/σ or 1000 ε σ is accepted too, ε that of the
/// float type.
SingularSpectrum extreme_singular_triplets(const Incidence& B, const SpectrumOptions& options);

/// The same in about so many products, or nothing where they do not suffice.
std::optional<SingularSpectrum> extreme_singular_triplets(const Incidence& B, const SpectrumOptions& options,
                                                          std::int64_t products);

}  // namespace gsan
