#pragma once
// One class per complex (Table III): mini-batches of complexes, the pooled readout.

#include "gsan/tasks/classification.h"

namespace gsan {

class GraphClassification final : public Classification {
 public:
  GraphClassification(ComplexDataset dataset, Split split, const RandomStream& stream,
                      const ClassificationOptions& options = {});

  std::string name() const override { return "graph-classification"; }
  ModelOptions complete(ModelOptions options) const override;
  const ComplexDataset& dataset() const { return dataset_; }

 private:
  Batch batch_of(std::span<const std::int64_t> items) const override;
  ComplexDataset dataset_;
};

}  // namespace gsan
