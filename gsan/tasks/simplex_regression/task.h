#pragma once
// One number per simplex of one order, some unknown: node and edge regression. Inputs are the features of all
// orders, a constant 1 where there are none; unlike imputation, a target is never an input. Targets are
// standardised by the training set.

#include "gsan/data/datasets.h"
#include "gsan/tasks/shared/placement.h"
#include "gsan/tasks/simplex_regression/options.h"

namespace gsan {

/// The targets of the order, float64 [N]; NaN is unknown. An error where the data have none.
Tensor simplex_targets(const ValueDataset& dataset, int order);

/// Full batch: every step sees the whole complex and takes the loss on the simplices to train on.
class SimplexRegression final : public Task {
 public:
  /// `trained`: the units of a model that was trained on other data.
  SimplexRegression(ValueDataset dataset, Split split, const SimplexRegressionOptions& options,
                    const Placement& placement = {}, const std::optional<TargetScale>& trained = {});

  std::string name() const override { return "simplex-regression"; }
  ModelShape shape() const override;
  int item_order() const override { return options_.order; }
  std::int64_t batch_count(Phase, std::int64_t) const override { return 1; }
  Batch batch(Phase phase, std::int64_t epoch, std::int64_t step) const override;
  Tensor loss(const ModelOutput& output, const Batch& batch) const override;
  std::unique_ptr<Meter> meter(Phase phase) const override;
  std::string choosing_metric() const override { return "mae"; }
  bool more_is_better() const override { return false; }
  std::vector<std::pair<std::string, Items>> parts() const override;
  std::optional<TargetScale> target_scale() const override { return scale_; }
  /// Mean and median of the targets, mean of the neighbours, ridge regression on own features.
  std::vector<RuleResult> rules(Phase phase) const override;
  std::vector<std::string> notes() const override;
  /// A row per simplex: its vertices, the number, its part, its target.
  Prediction predict(Model& model) const override;
  std::vector<JudgedItem> worst_items(Model& model, Phase phase, std::int64_t count) const override;
  const ValueDataset& dataset() const { return dataset_; }

 private:
  Batch batch_of(const Tensor& rows) const;  // int64, of the dataset
  ValueDataset dataset_;
  Split split_;
  SimplexRegressionOptions options_;
  Placement placement_;
  ComplexOperators operators_;
  Tensor targets_;  // [N] float64
  TargetScale scale_;
  Cochains inputs_;
};

}  // namespace gsan
