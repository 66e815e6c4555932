#pragma once
// A score for simplex prediction without parameters: Benson, Abebe, Schaub, Jadbabaie, Kleinberg, "Simplicial
// closure and higher-order link prediction", PNAS 2018.

#include <torch/types.h>

namespace gsan {

using torch::Tensor;

/// t / Σ_j 1 / x_j over the simplices j of each tuple, per feature; 0 when one of them is 0.
///   x [..., N, F], nothing negative;  tuples int64 [M, t], t ≥ 1  →  [..., M, F]
Tensor harmonic_mean(const Tensor& x, const Tensor& tuples);

}  // namespace gsan
