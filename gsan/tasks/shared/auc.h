#pragma once
// Area under the ROC curve.

#include <torch/types.h>

namespace gsan {

/// The probability that a positive scores above a negative, equal scores counting one half: in [0, 1].
/// `scores` [n], `labels` [n] of 0 and 1; both classes must occur. O(n log n).
double area_under_curve(const torch::Tensor& scores, const torch::Tensor& labels);

}  // namespace gsan
