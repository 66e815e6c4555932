#pragma once
// The Dirac operator D of a complex and its components (spec 1). D couples neighbouring
// orders: (D x)_k = B_kᵀ x_{k−1} + B_{k+1} x_{k+1}; its component D^(j), j = 1 … K, is the
// part that goes through B_j. D = Σ_j D^(j), D^(i) D^(j) = 0 for i ≠ j, D² = blockdiag(L_k).

#include "gsan/hodge/operators.h"

namespace gsan {

/// D x. x holds one tensor per order 0 … K; undefined counts as zero, and an order that
/// nothing reaches comes back undefined. Orders that meet must agree in all but the rows.
Cochains dirac(const ComplexOperators& operators, const Cochains& x);

/// D^(j) x: order j − 1 gets B_j x_j, order j gets B_jᵀ x_{j−1}, the others are undefined.
Cochains dirac_component(const ComplexOperators& operators, int j, const Cochains& x);

}  // namespace gsan
