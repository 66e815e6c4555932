#pragma once
// Area under the curve of precision over recall.

#include <torch/types.h>

namespace gsan {

/// Σ_t (R_t − R_{t−1}) P_t over the distinct scores t from the largest down, with precision P_t and recall
/// R_t of the items that score at least t: in (0, 1]. `scores` [n], finite; `labels` [n] of 0 and 1, at least
/// one of them 1. O(n log n).
double average_precision(const torch::Tensor& scores, const torch::Tensor& labels);

}  // namespace gsan
