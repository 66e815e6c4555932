#pragma once
// The linear classifier that every other model has to beat.

#include <torch/types.h>

namespace gsan {

using torch::Tensor;

struct LogisticRegressionOptions {
  double C = 1;              ///< weight of the data against the penalty
  bool standardize = false;  ///< features are centred and divided by their deviation over the fitted items
  double tolerance = 1e-9;   ///< of the gradient, as a share of the first one
  int max_iterations = 300;
};

/// The minimum of ½ ‖W‖² + C Σ_i −log p(y_i | x_i) in W and b; the intercept b is not penalised.
/// Two classes: p(1 | x) = sigmoid(w·x + b), one vector w. More: the softmax of W x + b.
class LogisticRegression {
 public:
  /// x [n, F], labels int64 [n] in 0 … classes − 1. Computed in float64 by Newton's method, its systems
  /// solved by conjugate gradients: O(nF) memory. Fault::numeric when the tolerance is not reached.
  LogisticRegression(const Tensor& x, const Tensor& labels, int classes,
                     const LogisticRegressionOptions& options = {});

  Tensor logits(const Tensor& x) const;  ///< [n, F] → [n, classes] float64; their softmax is p

  const Tensor& weight() const { return weight_; }  ///< [F, 1] or [F, classes], of standardised features
  const Tensor& bias() const { return bias_; }      ///< [1] or [classes]

 private:
  Tensor prepared(const Tensor& x) const;  // float64, standardised if asked for
  Tensor shift_, scale_;                   // [F] or undefined
  Tensor weight_, bias_;
};

}  // namespace gsan
