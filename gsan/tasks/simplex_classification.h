#pragma once
// One class per simplex of one order, some unknown: node and edge classification. Inputs are the features of
// all orders, a constant 1 where there are none; a class is never an input.

#include "gsan/tasks/classification.h"

namespace gsan {

struct SimplexClassificationOptions {
  int order = 0;
  double validation = 0.2, test = 0.2;
  Protocol protocol = Protocol::strict;
  Placement placement{};

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("order", self.order, "order of the simplices that have classes");
    visit("validation", self.validation, "share of the known classes that chooses the epoch");
    visit("test", self.test, "share of the known classes for the one look at the end");
  }
};

/// Class of each simplex of the order, int64 [N]; unknown_label where it is NaN. An error unless the values
/// are numbers of classes.
Tensor simplex_labels(const ValueDataset& dataset, int order);

/// Full batch: every step sees the whole complex and takes the loss on the simplices to train on.
class SimplexClassification final : public Task {
 public:
  SimplexClassification(ValueDataset dataset, Split split, SimplexClassificationOptions options);

  std::string name() const override { return "simplex-classification"; }
  ModelOptions complete(ModelOptions options) const override;
  std::int64_t batch_count(Phase, std::int64_t) const override { return 1; }
  Batch batch(Phase phase, std::int64_t epoch, std::int64_t step) const override;
  Tensor loss(const ModelOutput& output, const Batch& batch) const override;
  std::unique_ptr<Meter> meter(Phase phase) const override;
  std::string choosing_metric() const override { return "accuracy"; }
  std::string tie_metric() const override { return "loss"; }
  std::vector<std::pair<std::string, Items>> parts() const override;
  std::vector<BaselineResult> baselines(Phase phase) const override;
  const ValueDataset& dataset() const { return dataset_; }

 private:
  ValueDataset dataset_;
  Split split_;
  SimplexClassificationOptions options_;
  ReorderedComplex complex_;
  Tensor labels_;    // int64 [N]
  Cochains inputs_;  // arranged
};

}  // namespace gsan
