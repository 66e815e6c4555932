#pragma once
// ops/score_projection.h on a GPU: a launch each.

#include "gsan/ops/cuda/numbers.h"

namespace gsan::ops::cuda {

template <class T>
struct ScoreParameters {
  const T* weight;  ///< [inputs, taps, heads, features]
  const T* a;       ///< [heads, 2 · taps · features]
  int inputs, taps, heads, features;
};

template <class T>
void launch_score_projection(const ScoreParameters<T>& parameters, T* projection, Stream stream);

/// of_weight may be null.
template <class T>
void launch_score_projection_backward(const ScoreParameters<T>& parameters, const T* gradient, T* of_weight,
                                      T* of_a, Stream stream);

}  // namespace gsan::ops::cuda
