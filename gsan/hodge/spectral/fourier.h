#pragma once
// Simplicial Fourier transforms (spec 7): the coefficients of a signal in the eigenbasis of L_k,
// or of a whole signal in that of the Dirac operator. With a complete spectrum they are
// orthogonal: the inverse gives the signal back, and energies agree. Differentiable in the signal.

#include "gsan/hodge/spectral/spectrum.h"

namespace gsan {

/// basisᵀ x: [N, n], [..., N, F] → [..., n, F].
Tensor analyze(const Tensor& basis, const Tensor& x);
/// basis c: [N, n], [..., n, F] → [..., N, F].
Tensor synthesize(const Tensor& basis, const Tensor& coefficients);

/// Coefficients of x on order k, one row per frequency of the spectrum; [..., N_k, F] → [..., n, F].
Tensor fourier(const HodgeSpectrum& spectrum, const Tensor& x);
Tensor inverse_fourier(const HodgeSpectrum& spectrum, const Tensor& coefficients);

/// Coefficients in the Dirac basis. Undefined tensors count as zero.
struct DiracCoefficients {
  std::vector<Tensor> aligned;       ///< component j at j − 1: [..., r_j, F] of [u; v]/√2, frequency +σ
  std::vector<Tensor> anti_aligned;  ///< component j at j − 1: [..., r_j, F] of [u; −v]/√2, frequency −σ
  std::vector<Tensor> harmonic;      ///< per order: [..., β_k, F], frequency 0
};

/// x has one tensor per order; orders that share a component must agree in all but the rows.
DiracCoefficients dirac_fourier(const DiracSpectrum& spectrum, const Cochains& x);
/// An order that no coefficient reaches comes back undefined.
Cochains inverse_dirac_fourier(const DiracSpectrum& spectrum, const DiracCoefficients& coefficients);

}  // namespace gsan
