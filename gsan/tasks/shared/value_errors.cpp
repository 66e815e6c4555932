#include "gsan/tasks/shared/value_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gsan/core/check.h"

namespace gsan {

void ValueErrors::add(const Tensor& found, const Tensor& truth) {
  GSAN_CHECK(found.dim() == 1 && found.sizes() == truth.sizes(),
             "ValueErrors: found and true values must be lists of one length, got ", found.sizes(), " and ",
             truth.sizes());
  const Tensor all = truth.to(torch::kFloat64), is_known = all.isnan().logical_not();
  const Tensor known = all.masked_select(is_known);
  const Tensor distance = (found.detach().to(torch::kFloat64) - all).abs().masked_select(is_known);
  count_ += distance.numel();
  within_ += distance.le(0.05 * known.abs()).sum().item<std::int64_t>();
  absolute_ += distance.sum().item<double>();
  squares_ += distance.square().sum().item<double>();
  truth_.push_back(known.cpu());
}

double ValueErrors::mean(double sum) const {
  return sum / static_cast<double>(std::max<std::int64_t>(1, count_));
}

double ValueErrors::rmse() const { return std::sqrt(mean(squares_)); }

double ValueErrors::within_5_percent() const { return mean(100.0 * static_cast<double>(within_)); }

double ValueErrors::r2() const {
  if (count_ == 0) return std::numeric_limits<double>::quiet_NaN();
  const Tensor truth = torch::cat(truth_);
  // Equal values have no spread, whatever their mean rounds to.
  if (truth.min().equal(truth.max())) return std::numeric_limits<double>::quiet_NaN();
  return 1 - squares_ / (truth - truth.mean()).square().sum().item<double>();
}

}  // namespace gsan
