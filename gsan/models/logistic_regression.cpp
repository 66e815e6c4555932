#include "gsan/models/logistic_regression.h"

#include <algorithm>
#include <cmath>

#include "gsan/core/check.h"

namespace gsan {
namespace {

// f(θ) = ½ ‖W‖² + C Σ_i −log p(y_i | x_i), θ = [W; b] of shape [F + 1, K], K = 1 for two classes.
class Objective {
 public:
  Objective(const Tensor& x, const Tensor& labels, int classes, double C)
      : x_(torch::cat({x, torch::ones({x.size(0), 1}, x.options())}, 1)), labels_(labels), C_(C) {
    is_binary_ = classes == 2;
    target_ = is_binary_ ? labels.to(torch::kFloat64).unsqueeze(1)
                         : torch::one_hot(labels, classes).to(torch::kFloat64);
    penalty_ = torch::ones({x_.size(1), 1}, x_.options());
    penalty_[-1] = 0;  // the intercept is free
  }

  Tensor start() const { return torch::zeros({x_.size(1), target_.size(1)}, x_.options()); }

  double value(const Tensor& theta) const {
    const Tensor z = x_.mm(theta);
    const Tensor loss = is_binary_
                            ? torch::binary_cross_entropy_with_logits(z, target_, {}, {}, at::Reduction::Sum)
                            : torch::cross_entropy_loss(z, labels_, {}, at::Reduction::Sum);
    return C_ * loss.item<double>() + 0.5 * (penalty_ * theta).square().sum().item<double>();
  }

  /// The gradient; curvature() is then that of θ.
  Tensor gradient(const Tensor& theta) {
    const Tensor z = x_.mm(theta);
    probability_ = is_binary_ ? z.sigmoid() : z.softmax(1);
    return C_ * x_.t().mm(probability_ - target_) + penalty_ * theta;
  }

  /// Second derivative times v.
  Tensor curvature(const Tensor& v) const {
    const Tensor u = probability_ * x_.mm(v);
    const Tensor s = is_binary_ ? u * (1 - probability_) : u - probability_ * u.sum(1, true);
    return C_ * x_.t().mm(s) + penalty_ * v;
  }

  Tensor diagonal() const { return C_ * x_.square().t().mm(probability_ * (1 - probability_)) + penalty_; }

 private:
  Tensor x_, labels_, target_, penalty_, probability_;
  double C_;
  bool is_binary_;
};

double product_of(const Tensor& a, const Tensor& b) { return (a * b).sum().item<double>(); }

// Conjugate gradients for curvature · d = −g, preconditioned by the diagonal, to a share of |g|.
Tensor newton_direction(const Objective& objective, const Tensor& g, double share) {
  const Tensor inverse = objective.diagonal().clamp_min(1e-12).reciprocal();
  Tensor d = torch::zeros_like(g), rest = -g, z = inverse * rest, direction = z;
  double product = product_of(rest, z);
  const double goal = share * g.norm().item<double>();
  for (std::int64_t i = 0; i < 4 * g.numel() + 50 && rest.norm().item<double>() > goal; ++i) {
    const Tensor image = objective.curvature(direction);
    const double bend = product_of(direction, image);
    if (!(bend > 0)) break;
    const double step = product / bend;
    d = d + step * direction;
    rest = rest - step * image;
    z = inverse * rest;
    const double next = product_of(rest, z);
    direction = z + next / product * direction;
    product = next;
  }
  return d;
}

Tensor minimum(Objective& objective, const LogisticRegressionOptions& options) {
  Tensor theta = objective.start();
  double value = objective.value(theta), first = -1, size = 0;
  for (int i = 0; i < options.max_iterations; ++i) {
    const Tensor g = objective.gradient(theta);
    size = g.norm().item<double>();
    if (first < 0) first = std::max(size, 1e-300);
    if (size <= options.tolerance * first) return theta;
    const Tensor d = newton_direction(objective, g, std::min(0.1, 0.1 * size / first));
    const double slope = product_of(g, d);
    double step = 1, reached = 0;
    for (;; step /= 2) {
      reached = objective.value(theta + step * d);
      if (reached <= value + 1e-4 * step * slope || step < 1e-10) break;
    }
    // Where the value cannot fall any more in float64, the gradient still can: take the whole step.
    if (step < 1e-10) {
      step = 1;
      reached = objective.value(theta + d);
    }
    theta = theta + step * d;
    value = reached;
  }
  if (size <= 1e3 * options.tolerance * first) return theta;  // as far as float64 gets on ill-scaled features
  fail(Fault::numeric, "LogisticRegression: after ", options.max_iterations, " iterations the gradient is ",
       size / first, " of the first one, not ", options.tolerance,
       "; features of very different size need standardize = true");
}

}  // namespace

LogisticRegression::LogisticRegression(const Tensor& x, const Tensor& labels, int classes,
                                       const LogisticRegressionOptions& options) {
  static constexpr const char* who = "LogisticRegression";
  GSAN_CHECK(x.dim() == 2 && x.size(0) >= 1 && labels.dim() == 1 && labels.size(0) == x.size(0), who,
             ": x must be [n, F] and labels [n] with n >= 1, got ", x.sizes(), " and ", labels.sizes());
  GSAN_CHECK(classes >= 2, who, ": at least 2 classes are needed, got ", classes);
  GSAN_CHECK(options.C > 0 && std::isfinite(options.C), who, ": C must be positive, got ", options.C);
  const Tensor numbers = labels.to(torch::kCPU, torch::kInt64);
  GSAN_CHECK(numbers.ge(0).all().item<bool>() && numbers.lt(classes).all().item<bool>(), who,
             ": labels must lie in 0 ... ", classes - 1);
  if (options.standardize) {
    const Tensor values = x.to(torch::kCPU, torch::kFloat64);
    shift_ = values.mean(0);
    const Tensor deviation = (values - shift_).square().mean(0).sqrt();
    scale_ = torch::where(deviation > 0, deviation, torch::ones_like(deviation));
  }
  const Tensor features = prepared(x);
  GSAN_CHECK(features.isfinite().all().item<bool>(), who, ": every feature must be finite");
  Objective objective(features, numbers, classes, options.C);
  const Tensor theta = minimum(objective, options);
  weight_ = theta.slice(0, 0, theta.size(0) - 1);
  bias_ = theta[-1];
}

Tensor LogisticRegression::prepared(const Tensor& x) const {
  const Tensor values = x.detach().to(torch::kCPU, torch::kFloat64);
  return shift_.defined() ? (values - shift_) / scale_ : values;
}

Tensor LogisticRegression::logits(const Tensor& x) const {
  GSAN_CHECK(x.dim() == 2 && x.size(1) == weight_.size(0), "LogisticRegression: x must be [n, ",
             weight_.size(0), "], got ", x.sizes());
  const Tensor z = prepared(x).mm(weight_) + bias_;
  return z.size(1) == 1 ? torch::cat({torch::zeros_like(z), z}, 1) : z;
}

}  // namespace gsan
