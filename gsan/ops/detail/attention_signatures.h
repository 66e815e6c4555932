#pragma once
// How the ops of ops/attention.h are called through the dispatcher, which passes no structs.

#include <array>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "gsan/ops/attention.h"

namespace gsan::ops {

using OptionalTensor = std::optional<at::Tensor>;

/// The last argument is `recompute` or `keep`.
template <class Result>
using AttentionCall = Result(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& a,
                             at::TensorList structure, at::TensorList dropout_keys, std::int64_t stream,
                             double p, const OptionalTensor& signs, std::int64_t first_power,
                             double negative_slope, bool sigmoid, bool);
using AttentionSignature = AttentionCall<at::Tensor>;
using AttentionForwardSignature = AttentionCall<std::vector<at::Tensor>>;
using AttentionBackwardSignature = std::vector<at::Tensor>(
    const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& weight, const at::Tensor& a,
    at::TensorList structure, double p, const OptionalTensor& signs, std::int64_t first_power,
    double negative_slope, bool sigmoid, at::TensorList kept, std::array<bool, 3> needs);

inline AttentionFilter attention_filter(const at::Tensor& x, const at::Tensor& weight,
                                        at::TensorList structure, const AttentionDropout& dropout,
                                        const OptionalTensor& signs, std::int64_t first_power, bool sigmoid,
                                        bool recompute = false) {
  return {x, weight, structure.vec(), dropout, signs, first_power, sigmoid, recompute};
}

}  // namespace gsan::ops
