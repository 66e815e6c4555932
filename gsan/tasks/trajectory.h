#pragma once
// One class per signal on a common complex (Table I): trajectories as flows on edges. The structure exists
// once; a batch is a leading dimension of the signals.

#include "gsan/tasks/classification.h"

namespace gsan {

class TrajectoryClassification final : public Classification {
 public:
  TrajectoryClassification(SignalDataset dataset, Split split, const RandomStream& stream,
                           const ClassificationOptions& options = {.batch_size = 64});

  std::string name() const override { return "trajectory"; }
  /// Only the order of the signals carries input; the readout pools |x|, which no re-orientation changes.
  ModelOptions complete(ModelOptions options) const override;
  const SignalDataset& dataset() const { return dataset_; }

 private:
  Batch batch_of(std::span<const std::int64_t> items) const override;
  SignalDataset dataset_;
  ComplexOperators operators_;
  Tensor signals_, labels_;  // on the device
};

}  // namespace gsan
