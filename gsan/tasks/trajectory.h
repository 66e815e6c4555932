#pragma once
// One class per signal on a common complex (Table I): trajectories as flows on edges. The structure exists
// once; a batch is a leading dimension of the signals.

#include "gsan/data/split.h"
#include "gsan/tasks/task.h"

namespace gsan {

struct TrajectoryOptions {
  int batch_size = 64;
  torch::ScalarType type = torch::kFloat32;
  torch::Device device = torch::kCPU;
};

class TrajectoryClassification final : public Task {
 public:
  TrajectoryClassification(SignalDataset dataset, Split split, RandomStream stream,
                           TrajectoryOptions options = {});

  std::string name() const override { return "trajectory"; }
  /// Only the order of the signals carries input; the readout pools |x|, which no re-orientation changes.
  ModelOptions complete(ModelOptions options) const override;
  std::int64_t batch_count(Phase phase, std::int64_t epoch) const override;
  Batch batch(Phase phase, std::int64_t epoch, std::int64_t step) const override;
  Tensor loss(const ModelOutput& output, const Batch& batch) const override;
  std::unique_ptr<Meter> meter(Phase phase) const override;
  std::string choosing_metric() const override { return "accuracy"; }

  const SignalDataset& dataset() const { return dataset_; }

 private:
  const Items& items(Phase phase) const;
  SignalDataset dataset_;
  Split split_;
  RandomStream stream_;
  TrajectoryOptions options_;
  ComplexOperators operators_;
  Tensor signals_, labels_;  // on the device
};

}  // namespace gsan
