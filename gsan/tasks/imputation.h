#pragma once
// Missing values on the simplices of one order (Table II).
//
// strict: known values are those of the file that the mask leaves; a tenth of them chooses the epoch and is
// never in the input, nor are the missing ones: both stand as the fill, the median of the values to train on.
// A loss on values that stand in the input only teaches the identity, so each step hides a random fifth of
// the values to train on and takes the loss on those. Reported on the missing values alone.

#include <vector>

#include "gsan/data/datasets.h"
#include "gsan/tasks/task.h"

namespace gsan {

struct ImputationOptions {
  int order = 1;
  double hidden = 0.2;      ///< share of the values to train on that each step hides
  double validation = 0.1;  ///< share of the known values
  int steps_per_epoch = 10;
  torch::ScalarType type = torch::kFloat32;
  torch::Device device = torch::kCPU;
};

/// The rows that are hidden: ⌈percent · N / 100⌉ random ones, increasing.
std::vector<std::int64_t> random_mask(std::int64_t rows, double percent, RandomStream stream);

/// Whole sources (papers) are hidden, in random order, until at least percent of the rows have one of them.
std::vector<std::int64_t> source_mask(const ValueDataset& dataset, int order, double percent,
                                      RandomStream stream);

class Imputation final : public Task {
 public:
  /// `missing`: rows of options.order whose values must be found. Other orders carry no input.
  Imputation(ValueDataset dataset, std::vector<std::int64_t> missing, RandomStream stream,
             ImputationOptions options);

  std::string name() const override { return "imputation"; }
  ModelOptions complete(ModelOptions options) const override;
  std::int64_t batch_count(Phase phase, std::int64_t epoch) const override;
  Batch batch(Phase phase, std::int64_t epoch, std::int64_t step) const override;
  Tensor loss(const ModelOutput& output, const Batch& batch) const override;
  std::unique_ptr<Meter> meter(Phase phase) const override;
  std::string choosing_metric() const override { return "mae"; }
  bool more_is_better() const override { return false; }

  double fill() const { return fill_; }
  const Tensor& rows(Phase phase) const;  ///< int64: to train on, to choose by, missing

 private:
  ValueDataset dataset_;
  RandomStream stream_;
  ImputationOptions options_;
  ComplexOperators operators_;
  Tensor values_;                     // [N] float64, the truth; only through the rows of a phase
  Tensor train_, validation_, test_;  // int64 rows
  double fill_ = 0;
};

/// "within_5_percent" (|x̂ − x| ≤ 0.05 |x|, in per cent) and "mae" over the rows of the batches.
class ValueMeter final : public Meter {
 public:
  void add(const ModelOutput& output, const Batch& batch) override;
  void add(const Tensor& found, const Tensor& truth);  ///< [n] each
  Metrics value() const override;

 private:
  std::int64_t rows_ = 0, within_ = 0;
  double absolute_ = 0;
};

/// Simple rules, given the truth of the known rows: [N] predictions.
Tensor fill_rule(const Tensor& values, const Tensor& known, double fill);
/// The most frequent value among the known upper neighbours, of several the smallest; the fill where none is
/// known.
Tensor neighbor_mode_rule(const SimplicialComplex& complex, int order, const Tensor& values,
                          const Tensor& known, double fill);
/// Median with the lower of the two middle values.
double median_of(const Tensor& values);

}  // namespace gsan
