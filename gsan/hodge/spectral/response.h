#pragma once
// Frequency responses: what a filter does to each frequency. Filtering in space equals
// multiplying the Fourier coefficients by the response (spec 7).
//
// Weights come as [P], one number per power, or [P, F_in, F_out], one matrix per power (spec 2);
// the response at n frequencies is then [n] or [n, F_in, F_out].

#include "gsan/hodge/shift.h"
#include "gsan/hodge/spectral/spectrum.h"

namespace gsan {

/// Σ_p λ^{first_power + p} weights[p] at each frequency [n], with 0^0 = 1. For a component of the
/// Dirac operator the frequencies are ±σ.
Tensor frequency_response(const Tensor& frequencies, const Tensor& weights, int first_power);

/// Response (1 − ε λ)^steps of the harmonic projector (spec 4).
Tensor projector_response(const Tensor& frequencies, double epsilon, int steps);

/// The eigenvalue of L_k^d, L_k^u or L_k that belongs to each eigenvector of the spectrum, [n]:
/// curl and harmonic modes have 0 on the lower side, gradient and harmonic ones on the upper.
Tensor side_frequencies(const HodgeSpectrum& spectrum, Side side);

/// Coefficients [..., n, F_in] times a response, [n] or [n, F_in, F_out].
Tensor multiply_response(const Tensor& coefficients, const Tensor& response);

}  // namespace gsan
