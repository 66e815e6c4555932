#pragma once
// How large L_k can stretch a signal: the certified bound λ̄_k and the eigenvalue λ_max
// itself. Both take B_k (`lower`) and B_{k+1} (`upper`), plain or scaled.

#include <span>

#include "gsan/hodge/incidence.h"

namespace gsan {

/// λ̄_k = max_i (|B_k|ᵀ|B_k| 1 + |B_{k+1}||B_{k+1}|ᵀ 1)_i (SPEC 4), one number per part of the rows
/// (parts.h): [P]. A part without simplices has 0. Never below λ_max (L_k) of the part, and
/// independent of the other parts. Not differentiated.
Tensor lambda_bound(const Incidence& lower, const Incidence& upper, std::span<const Index> parts = {});

/// λ_max(L_k) by Lanczos: never above the truth, and within `tolerance` · λ_max of it. Over a
/// disjoint union it is the largest of its parts. No simplices: 0.
double lambda_max(const Incidence& lower, const Incidence& upper, double tolerance = 1e-5);

}  // namespace gsan
