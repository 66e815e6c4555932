#pragma once
// Polynomials of a shift, by Horner and Clenshaw: as many products as the highest power, no power formed. And
// the powers themselves, for those who look at each.

#include <span>
#include <vector>

#include "gsan/hodge/shift.h"

namespace gsan {

/// Σ_p S^{first_power + p} taps[p], taps [..., N, F] of one shape (spec 2: even terms have
/// first_power = 1, odd terms 0). At least one tap.
Tensor polynomial(const Shift& shift, std::span<const Tensor> taps, int first_power);

/// Σ_p T_p(S) taps[p] with the Chebyshev polynomials T_0 = I, T_1 = S, T_{p+1} = 2 S T_p − T_{p−1}.
/// Taps as above.
Tensor chebyshev_polynomial(const Shift& shift, std::span<const Tensor> taps);

/// S^first x, …, S^{first + count − 1} x; without powers above 0, `shift` may be null.
std::vector<Tensor> powers_of(const Shift* shift, const Tensor& x, int first, int count);

/// T_0(S) x, …, T_highest(S) x.
std::vector<Tensor> chebyshev_powers_of(const Shift& shift, const Tensor& x, int highest);

}  // namespace gsan
