#pragma once
// Polynomials of a shift, by Horner: as many products as the highest power, no power formed.

#include <span>

#include "gsan/hodge/shift.h"

namespace gsan {

/// Σ_p S^{first_power + p} taps[p], taps [..., N, F] of one shape (SPEC 2: even terms have
/// first_power = 1, odd terms 0). At least one tap.
Tensor polynomial(const Shift& shift, std::span<const Tensor> taps, int first_power);

}  // namespace gsan
