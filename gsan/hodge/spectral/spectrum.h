#pragma once
// Eigenpairs of the Hodge Laplacians and of the Dirac operator (spec 7), put together
// from the singular triplets of the boundary operators.

#include <cstdint>
#include <vector>

#include "gsan/hodge/operators.h"
#include "gsan/hodge/spectral/singular.h"

namespace gsan {

/// The part of the Hodge decomposition that a frequency of L_k belongs to.
enum class HodgePart : std::uint8_t {
  gradient,  ///< im B_kᵀ: an eigenvalue of L_k^d
  curl,      ///< im B_{k+1}: an eigenvalue of L_k^u
  harmonic,  ///< ker L_k
};

const char* name_of(HodgePart part);  ///< "gradient", "curl", "harmonic"

/// Eigenpairs of L_k: values increase, vectors are orthonormal.
struct HodgeSpectrum {
  Tensor values;                 ///< [n]
  Tensor vectors;                ///< [N_k, n]; a partial one without options.vectors has no columns
  std::vector<HodgePart> parts;  ///< [n]
};

/// All N_k eigenpairs, or the options.count non-zero ones at options.end (no harmonic ones).
HodgeSpectrum hodge_spectrum(const ComplexOperators& operators, int k, const SpectrumOptions& options = {});

/// The options.count smallest eigenpairs, the zeros among them: of these there are β_k, which exact homology
/// knows.
HodgeSpectrum lowest_hodge_spectrum(const ComplexOperators& operators, int k, const SpectrumOptions& options);

/// The spectrum of D: ±σ of each component D^(j), vectors [u; ±v]/√2, and its kernel.
struct DiracSpectrum {
  std::vector<SingularSpectrum> components;  ///< B_1 … B_K: component j is at j − 1
  std::vector<Tensor> harmonic;              ///< per order [N_k, β_k] orthonormal; no columns when partial
};

/// Everything, or options.count singular values of every component (no harmonic part).
DiracSpectrum dirac_spectrum(const ComplexOperators& operators, const SpectrumOptions& options = {});

/// Eigenpairs of one component as signals: D vectors = vectors · values, one column each,
/// first the aligned (+σ), then the anti-aligned (−σ) ones; other orders are undefined.
struct DiracEigenpairs {
  Tensor values;     ///< [2 r]
  Cochains vectors;  ///< order j − 1: [N_{j−1}, 2 r], order j: [N_j, 2 r]
};

DiracEigenpairs dirac_eigenpairs(const DiracSpectrum& spectrum, int j);

}  // namespace gsan
