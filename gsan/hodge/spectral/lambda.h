#pragma once
// How large L_k can stretch a signal: the certified bound λ̄_k and the eigenvalue λ_max
// itself. Both take B_k (`lower`) and B_{k+1} (`upper`), plain or scaled. Where the rows fall into
// parts (parts.h), every part has its own numbers, independent of the other parts; where a scaling is
// grouped ([..., N, H], incidence.h), so has every group and leading dimension. Neither is differentiated.

#include <span>

#include "gsan/hodge/incidence.h"

namespace gsan {

/// λ̄_k = max_i (|B_k|ᵀ|B_k| 1 + |B_{k+1}||B_{k+1}|ᵀ 1)_i (spec 4): [P], or [..., P, H] for a grouped scaling,
/// in the float type of the scaling (float64 for plain operators). A part without
/// simplices has 0. Never below λ_max(L_k).
Tensor lambda_bound(const Incidence& lower, const Incidence& upper, std::span<const Index> parts = {});

/// The same for parts whose offsets are a tensor (parts.h) on the device of the operators; rows behind the
/// last offset belong to none.
Tensor lambda_bound(const Incidence& lower, const Incidence& upper, const Tensor& part_offsets);

/// 1/λ̄ of a bound; 1 where there is nothing to bound.
Tensor inverse_bound(const Tensor& bound);

/// λ_max(L_k) by Lanczos: never above the truth, and within `tolerance` · λ_max of it (to rounding
/// where some hundred products reach that). [P], or [..., P, H] for a grouped scaling, float64. A part
/// without simplices has 0.
Tensor lambda_max(const Incidence& lower, const Incidence& upper, std::span<const Index> parts,
                  double tolerance = 1e-5);

/// The same over all rows of operators that are not grouped: the largest of the parts.
double lambda_max(const Incidence& lower, const Incidence& upper, double tolerance = 1e-5);

}  // namespace gsan
