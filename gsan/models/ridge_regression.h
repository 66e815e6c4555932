#pragma once
// The linear model of numbers that every other one has to beat.

#include <torch/types.h>

namespace gsan {

using torch::Tensor;

/// The minimum of Σ_i (y_i − w·x_i − b)² + penalty ‖w‖² in w and b, for features that are centred and divided
/// by their deviation over the fitted items; constant ones count nothing.
class RidgeRegression {
 public:
  /// x [n, F], y [n], both finite; n ≥ 1, penalty > 0. Computed in float64 by one system of size min(n, F).
  RidgeRegression(const Tensor& x, const Tensor& y, double penalty = 1);

  Tensor values(const Tensor& x) const;             ///< [n, F] → [n] float64
  const Tensor& weight() const { return weight_; }  ///< [F], of standardised features
  double bias() const { return bias_; }

 private:
  Tensor prepared(const Tensor& x) const;
  Tensor shift_, scale_, weight_;  // [F]
  double bias_ = 0;
};

}  // namespace gsan
