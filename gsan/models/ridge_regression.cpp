#include "gsan/models/ridge_regression.h"

#include <cmath>

#include "gsan/core/check.h"

namespace gsan {

RidgeRegression::RidgeRegression(const Tensor& x, const Tensor& y, double penalty) {
  static constexpr const char* who = "RidgeRegression";
  GSAN_CHECK(x.dim() == 2 && x.size(0) >= 1 && y.dim() == 1 && y.size(0) == x.size(0), who,
             ": x must be [n, F] and y [n] with n >= 1, got ", x.sizes(), " and ", y.sizes());
  GSAN_CHECK(penalty > 0 && std::isfinite(penalty), who, ": the penalty must be positive, got ", penalty);
  const Tensor values = x.detach().to(torch::kCPU, torch::kFloat64),
               wanted = y.detach().to(torch::kCPU, torch::kFloat64);
  GSAN_CHECK(values.isfinite().all().item<bool>() && wanted.isfinite().all().item<bool>(), who,
             ": every feature and every value must be finite");
  shift_ = values.mean(0);
  const Tensor deviation = (values - shift_).square().mean(0).sqrt();
  scale_ = torch::where(deviation > 0, deviation, torch::ones_like(deviation));
  bias_ = wanted.mean().item<double>();
  // Centred features leave b to the mean of y.
  const Tensor z = prepared(x), rest = (wanted - bias_).unsqueeze(1);
  const auto ridge = [&](const Tensor& gram) {
    return gram + penalty * torch::eye(gram.size(0), torch::kFloat64);
  };
  // (ZᵀZ + λI)⁻¹ Zᵀ = Zᵀ (ZZᵀ + λI)⁻¹: the smaller system.
  weight_ = (z.size(1) <= z.size(0) ? at::linalg_solve(ridge(z.t().mm(z)), z.t().mm(rest))
                                    : z.t().mm(at::linalg_solve(ridge(z.mm(z.t())), rest)))
                .squeeze(1);
}

Tensor RidgeRegression::prepared(const Tensor& x) const {
  return (x.detach().to(torch::kCPU, torch::kFloat64) - shift_) / scale_;
}

Tensor RidgeRegression::values(const Tensor& x) const {
  GSAN_CHECK(x.dim() == 2 && x.size(1) == weight_.size(0), "RidgeRegression: x must be [n, ", weight_.size(0),
             "], got ", x.sizes());
  return prepared(x).mv(weight_) + bias_;
}

}  // namespace gsan
