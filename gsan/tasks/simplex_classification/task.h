#pragma once
// One class per simplex of one order, some unknown: node and edge classification. Inputs are the features of
// all orders and what the structure adds to them, a constant 1 where there is nothing; a class is never an
// input.

#include "gsan/data/datasets.h"
#include "gsan/tasks/shared/classification.h"
#include "gsan/tasks/simplex_classification/options.h"

namespace gsan {

/// Class of each simplex of the order, int64 [N]; unknown_label where it is NaN. An error unless the values
/// are numbers of classes.
Tensor simplex_labels(const ValueDataset& dataset, int order);

/// Full batch: every step sees the whole complex and takes the loss on the simplices to train on.
class SimplexClassification final : public Task {
 public:
  SimplexClassification(ValueDataset dataset, Split split, const SimplexClassificationOptions& options,
                        const Placement& placement = {});

  std::string name() const override { return "simplex-classification"; }
  ModelShape shape() const override;
  int item_order() const override { return options_.order; }
  std::int64_t batch_count(Phase, std::int64_t) const override { return 1; }
  Batch batch(Phase phase, std::int64_t epoch, std::int64_t step) const override;
  Tensor loss(const ModelOutput& output, const Batch& batch) const override;
  std::unique_ptr<Meter> meter(Phase phase) const override;
  std::string choosing_metric() const override { return std::string(name_of(options_.choose_by)); }
  std::string tie_metric() const override { return more_is_better() ? "loss" : ""; }
  bool more_is_better() const override { return options_.choose_by == ClassChoice::accuracy; }
  std::string headline_metric() const override { return "accuracy"; }
  std::vector<std::string> notes() const override;
  std::vector<std::pair<std::string, Items>> parts() const override;
  std::vector<RuleResult> rules(Phase phase) const override;
  std::vector<std::string> class_names() const override { return dataset_.class_names; }
  /// A row per simplex: its vertices, the class, the probability of each class, whether the class is known,
  /// its part, its true class.
  Prediction predict(Model& model) const override;
  std::vector<JudgedItem> worst_items(Model& model, Phase phase, std::int64_t count) const override;
  const ValueDataset& dataset() const { return dataset_; }

 private:
  ValueDataset dataset_;
  Split split_;
  SimplexClassificationOptions options_;
  Placement placement_;
  ComplexOperators operators_;
  Tensor labels_;  // int64 [N]
  Cochains inputs_;
};

}  // namespace gsan
