#pragma once
// What every backend of scaled_incidence checks first, and the op below it that its gradient is made of.

#include <optional>
#include <tuple>

#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

namespace gsan::ops {

/// gsan::scaled_sums: {y, dots}. y is scaled_incidence(), empty unless `with_y`. With `other` (shaped as y),
/// dots
/// [..., rows of y, H] are the sums over each group of features of other · (y before its factors): what a
/// factor of y has as gradient. Empty without. No gradient of its own.
using ScaledSums = std::tuple<at::Tensor, at::Tensor>(const at::Tensor& x,
                                                      const std::optional<at::Tensor>& x_factors,
                                                      const std::optional<at::Tensor>& y_factors,
                                                      at::TensorList tables, bool boundary, bool absolute,
                                                      const std::optional<at::Tensor>& other, bool with_y);

using ScaledProduct = at::Tensor(const at::Tensor& x, const std::optional<at::Tensor>& x_factors,
                                 const std::optional<at::Tensor>& y_factors, at::TensorList tables,
                                 bool boundary, bool absolute);

struct ScaledShape {
  c10::SymInt rows;    ///< of y
  c10::SymInt groups;  ///< H; 1 without factors
};

ScaledShape check_scaled(const at::Tensor& x, const std::optional<at::Tensor>& x_factors,
                         const std::optional<at::Tensor>& y_factors, at::TensorList tables, bool boundary,
                         const std::optional<at::Tensor>& other = std::nullopt);

ScaledSums scaled_sums_call;
ScaledProduct scaled_incidence_call;

}  // namespace gsan::ops
