#pragma once
// How far numbers are from the true ones.

#include <vector>

#include <torch/types.h>

namespace gsan {

using torch::Tensor;

/// Over all rows that were added; those whose true value is NaN do not count. Without rows the means are 0.
class ValueErrors {
 public:
  void add(const Tensor& found, const Tensor& truth);  ///< [n] each

  std::int64_t count() const { return count_; }
  double mean(double sum) const;  ///< sum / count()
  double mae() const { return mean(absolute_); }
  double rmse() const;
  double within_5_percent() const;  ///< share with |x̂ − x| ≤ 0.05 |x|, in per cent
  /// 1 − Σ (x̂ − x)² / Σ (x − mean x)²: 1 is exact, 0 as good as the mean of the true values; NaN where those
  /// do not differ.
  double r2() const;

 private:
  std::int64_t count_ = 0, within_ = 0;
  double absolute_ = 0, squares_ = 0;
  std::vector<Tensor> truth_;
};

}  // namespace gsan
