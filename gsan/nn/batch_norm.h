#pragma once
// Batch normalisation (Ioffe, Szegedy, ICML 2015) of features over all rows.

#include <functional>
#include <optional>
#include <vector>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

namespace gsan {

using torch::Tensor;

/// Mean and variance of rows that come in parts, as if they came at once: summed in float64 (Chan, Golub,
/// LeVeque, 1979). The bits depend on the parts and their order, not on who measured them.
class RowStatistics {
 public:
  RowStatistics() = default;
  explicit RowStatistics(const Tensor& rows);  ///< [n, channels]

  void add(const RowStatistics& more);
  std::int64_t count() const { return count_; }
  const Tensor& mean() const { return mean_; }  ///< [channels] float64; of at least one row
  Tensor variance() const;                      ///< the same, unbiased; of at least two rows

  /// [1 + 2 channels] float64 on the host, for another process, and back.
  Tensor packed(std::int64_t channels) const;
  static RowStatistics unpacked(const Tensor& numbers);

 private:
  std::int64_t count_ = 0;
  Tensor mean_, squares_;  // squares: Σ (x − mean)²
};

class BatchNormImpl;

/// Normalises the rows of a training batch of which others have parts (train/divided_norms.h).
class DividedBatch {
 public:
  virtual ~DividedBatch() = default;
  virtual Tensor normalised(BatchNormImpl& norm, const Tensor& rows) = 0;  ///< [n, channels], n may be 0
};

/// What passes of this process found in a norm, an entry per call of it → that of the passes of all.
using ShareStatistics = std::function<std::vector<RowStatistics>(std::vector<RowStatistics>, int channels)>;

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
  /// Training batches are those of `batch` from now on; nullptr: the rows of each call. Borrowed.
  void set_divided(DividedBatch* batch) { divided_ = batch; }
  void update_running(const RowStatistics& batch);  ///< as a training batch does, of two rows or more
  void pretty_print(std::ostream& stream) const override;

  Tensor weight, bias, running_mean, running_var;
  static constexpr double epsilon = 1e-5, momentum = 0.1;  // torch's

 private:
  friend void measure_batch_norms(torch::nn::Module& module, const std::function<void()>& passes,
                                  const ShareStatistics& share);
  std::optional<std::vector<RowStatistics>> measured_;  // of each call, while they are measured
  DividedBatch* divided_ = nullptr;
};
TORCH_MODULE(BatchNorm);

std::vector<BatchNormImpl*> batch_norms_of(const torch::nn::Module& module);  ///< as they were registered

/// Replaces the running statistics of every batch normalisation in the module by those of all rows that
/// `passes` sends through it, whatever the batches, normalised as in evaluation: `passes` is called again as
/// long as norms behind other norms change. Gradients are off. Fewer than two rows leave statistics alone.
/// Nothing is called where the module has no batch normalisation. `share`: where several processes each make
/// some of the passes.
void measure_batch_norms(torch::nn::Module& module, const std::function<void()>& passes,
                         const ShareStatistics& share = {});

}  // namespace gsan
