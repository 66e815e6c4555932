#pragma once
// Batch normalisation (Ioffe, Szegedy, ICML 2015) of features over all rows.

#include <functional>
#include <optional>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

namespace gsan {

using torch::Tensor;

/// Mean and variance of rows that come in batches, as if they came at once: summed in float64 (Chan, Golub,
/// LeVeque, 1979).
class RowStatistics {
 public:
  void add(const Tensor& rows);  ///< [n, channels]
  std::int64_t count() const { return count_; }
  const Tensor& mean() const { return mean_; }  ///< [channels] float64
  Tensor variance() const;                      ///< the same, unbiased; of at least two rows

 private:
  std::int64_t count_ = 0;
  Tensor mean_, squares_;  // squares: Σ (x − mean)²
};

/// As torch.nn.BatchNorm1d with momentum 0.1: `weight`, `bias`, and the buffers `running_mean` and
/// `running_var` that evaluation uses. A training batch of fewer than two rows has no variance: there the
/// running statistics are used, and stay as they are.
///
/// Running statistics lag behind the weights. Where a feature's mean is many times its spread, as in sums
/// over a complex, a small lag moves what evaluation sees by many spreads: measure_batch_norms() before
/// evaluating.
class BatchNormImpl : public torch::nn::Module {
 public:
  explicit BatchNormImpl(int channels);

  Tensor forward(const Tensor& x);  ///< [..., channels] → the same
  void reset_parameters();          ///< weight 1, bias 0, mean 0, variance 1
  void pretty_print(std::ostream& stream) const override;

  Tensor weight, bias, running_mean, running_var;

 private:
  friend void measure_batch_norms(torch::nn::Module& module, const std::function<void()>& passes);
  std::optional<RowStatistics> measured_;  // while they are measured
};
TORCH_MODULE(BatchNorm);

/// Replaces the running statistics of every batch normalisation in the module by those of all rows that
/// `passes` sends through it, whatever the batches, normalised as in evaluation: `passes` is called again as
/// long as norms behind other norms change. Gradients are off. Fewer than two rows leave statistics alone.
/// Nothing is called where the module has no batch normalisation.
void measure_batch_norms(torch::nn::Module& module, const std::function<void()>& passes);

}  // namespace gsan
