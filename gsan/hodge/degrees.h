#pragma once
// How many larger simplices contain a simplex: what the complex alone says of it.

#include "gsan/hodge/operators.h"

namespace gsan {

/// The number of m-simplices that contain each k-simplex, k ≤ m: float64 [N_k, 1] on the device of the
/// operators. |B_{k+1}| … |B_m| 1 counts each of them (m − k)! times.
Tensor degrees(const ComplexOperators& operators, int k, int m);

/// log(1 + degree) for every order k + 1 … top, [N_k, top − k] float64; a constant 1 for k ≥ top.
Tensor structural_features(const ComplexOperators& operators, int k, int top);

}  // namespace gsan
