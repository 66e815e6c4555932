#pragma once
// Rows of a signal by tuples, e.g. the three edges of each candidate triangle.

#include <string_view>

#include <torch/types.h>

namespace gsan {

using torch::Tensor;

/// x [..., N, F], tuples int64 [M, t] with entries 0 … N − 1 → [..., M, t, F]. Any other entry is an
/// error of `who` that names the first one.
Tensor gather_tuples(std::string_view who, const Tensor& x, const Tensor& tuples);

}  // namespace gsan
