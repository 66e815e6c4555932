#pragma once
// One class per complex (Table III): mini-batches of complexes, the pooled readout.

#include "gsan/data/datasets.h"
#include "gsan/tasks/graph_classification/options.h"
#include "gsan/tasks/shared/classification.h"

namespace gsan {

class GraphClassification : public Classification {
 public:
  GraphClassification(ComplexDataset dataset, Split split, const RandomStream& stream,
                      const GraphClassificationOptions& options = {}, const Placement& placement = {});

  std::string name() const override { return "graph-classification"; }
  ModelShape shape() const override;
  /// Sums of the vertex features and numbers of simplices, with logistic regression and with a forest.
  std::vector<RuleResult> rules(Phase phase) const override;
  std::vector<std::string> notes() const override;
  const ComplexDataset& dataset() const { return collate_.dataset(); }
  const BatchSizes* batch_sizes() const override { return &collate_.sizes(); }

 private:
  std::int64_t item_size(std::int64_t item) const override;
  Batch batch_of(std::span<const std::int64_t> items) const override;
  std::optional<Batch> host_batch_of(std::span<const std::int64_t> items) const override;
  Tensor sums_;  // of the data without structure, for the rules
  StructureChoice structure_;
  Collator collate_;
  RandomStream of_forest_;
};

class PublishedGraphClassification final : public GraphClassification {
 public:
  using GraphClassification::GraphClassification;
  std::vector<std::string> remarks() const override;
};

}  // namespace gsan
