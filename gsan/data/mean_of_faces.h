#pragma once
// What a simplex carries when the data give nothing for its order.

#include "gsan/hodge/operators.h"

namespace gsan {

/// [N_k, F]: the mean over the k + 1 faces of each simplex of `below` [N_{k−1}, F].
Tensor mean_of_faces(const SimplicialComplex& complex, int k, const Tensor& below);

}  // namespace gsan
