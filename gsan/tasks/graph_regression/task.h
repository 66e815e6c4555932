#pragma once
// One number per complex: mini-batches of complexes, the pooled readout. Targets are standardised by the
// training set.

#include "gsan/data/datasets.h"
#include "gsan/tasks/graph_regression/options.h"
#include "gsan/tasks/shared/item_task.h"
#include "gsan/tasks/shared/placement.h"

namespace gsan {

class GraphRegression final : public ItemTask {
 public:
  /// Targets are label_numbers(dataset). `trained`: the units of a model that was trained on other data.
  GraphRegression(ComplexDataset dataset, Split split, const RandomStream& stream,
                  const GraphRegressionOptions& options = {}, const Placement& placement = {},
                  const std::optional<TargetScale>& trained = {});

  std::string name() const override { return "graph-regression"; }
  ModelShape shape() const override;
  Tensor loss(const ModelOutput& output, const Batch& batch) const override;
  std::unique_ptr<Meter> meter(Phase phase) const override;
  std::string choosing_metric() const override { return "mae"; }
  bool more_is_better() const override { return false; }
  std::optional<TargetScale> target_scale() const override { return scale_; }
  /// Mean and median of the targets; ridge regression on sums of the vertex features and numbers of
  /// simplices.
  std::vector<RuleResult> rules(Phase phase) const override;
  std::vector<std::string> notes() const override;
  /// A row per complex: its name, the number, its part, its target.
  Prediction predict(Model& model) const override;
  std::vector<JudgedItem> worst_items(Model& model, Phase phase, std::int64_t count) const override;
  const ComplexDataset& dataset() const { return collate_.dataset(); }
  const BatchSizes* batch_sizes() const override { return &collate_.sizes(); }

 private:
  std::int64_t item_size(std::int64_t item) const override;
  Batch batch_of(std::span<const std::int64_t> items) const override;
  std::optional<Batch> host_batch_of(std::span<const std::int64_t> items) const override;
  Tensor sums_;  // of the data without structure, for the rules
  Collator collate_;
  GraphRegressionOptions options_;
  Tensor targets_;  // [complexes] float64
  TargetScale scale_;
};

}  // namespace gsan
