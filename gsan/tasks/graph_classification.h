#pragma once
// One class per complex (Table III): mini-batches of complexes, the pooled readout.

#include "gsan/data/split.h"
#include "gsan/tasks/task.h"

namespace gsan {

struct GraphClassificationOptions {
  int batch_size = 36;
  torch::ScalarType type = torch::kFloat32;
  torch::Device device = torch::kCPU;
};

class GraphClassification final : public Task {
 public:
  GraphClassification(ComplexDataset dataset, Split split, RandomStream stream,
                      GraphClassificationOptions options = {});

  std::string name() const override { return "graph-classification"; }
  ModelOptions complete(ModelOptions options) const override;
  std::int64_t batch_count(Phase phase, std::int64_t epoch) const override;
  Batch batch(Phase phase, std::int64_t epoch, std::int64_t step) const override;
  Tensor loss(const ModelOutput& output, const Batch& batch) const override;
  std::unique_ptr<Meter> meter(Phase phase) const override;
  std::string choosing_metric() const override { return "accuracy"; }

  const ComplexDataset& dataset() const { return dataset_; }

 private:
  const Items& items(Phase phase) const;
  ComplexDataset dataset_;
  Split split_;
  RandomStream stream_;
  GraphClassificationOptions options_;
};

}  // namespace gsan
