#pragma once
// Answers from the neighbours of a simplex alone. Neighbours are those with a common coface; of simplices of
// the top order, which have none, those with a common face.

#include <torch/types.h>

#include "gsan/hodge/operators.h"

namespace gsan {

using torch::Tensor;

/// [N] float64: the most frequent value among the known neighbours, of several the smallest; `otherwise`
/// where none is known. values [N]; known int64, rows whose values may be used.
Tensor neighbor_mode_rule(const SimplicialComplex& complex, int order, const Tensor& values,
                          const Tensor& known, double otherwise);

/// The same with their mean.
Tensor neighbor_mean_rule(const SimplicialComplex& complex, int order, const Tensor& values,
                          const Tensor& known, double otherwise);

/// Of values that add up over what a simplex is part of: the sum over its facets, each of which counts with
/// the least value among its known members, the simplex itself aside; a facet without any counts nothing.
Tensor facet_sum_rule(const ComplexOperators& operators, int order, const Tensor& values, const Tensor& known,
                      double otherwise);

}  // namespace gsan
