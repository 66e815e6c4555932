#pragma once
// One class per complex (Table III): mini-batches of complexes, the pooled readout.

#include "gsan/tasks/classification.h"

namespace gsan {

struct GraphClassificationOptions {
  int batch_size = 36;
  Protocol protocol = Protocol::strict;
  Placement placement{};

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("batch_size", self.batch_size, "complexes of a training step");
  }
};

class GraphClassification final : public Classification {
 public:
  GraphClassification(ComplexDataset dataset, Split split, const RandomStream& stream,
                      const GraphClassificationOptions& options = {});

  std::string name() const override { return "graph-classification"; }
  ModelOptions complete(ModelOptions options) const override;
  std::vector<std::string> remarks() const override;
  /// Sums of the vertex features and numbers of simplices, with logistic regression and with a forest.
  std::vector<BaselineResult> baselines(Phase phase) const override;
  const ComplexDataset& dataset() const { return collate_.dataset(); }

 private:
  Batch batch_of(std::span<const std::int64_t> items) const override;
  Collator collate_;
  RandomStream of_forest_;
};

/// What a bag of vertices knows, and the sizes: [complexes, F_0 + K + 1] float64, the table of the baselines.
Tensor sums_and_sizes(const ComplexDataset& dataset);

}  // namespace gsan
