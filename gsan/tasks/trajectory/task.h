#pragma once
// One class per signal on a common complex (Table I): trajectories as flows on edges. The structure exists
// once; a batch is a leading dimension of the signals.

#include <map>

#include "gsan/data/datasets.h"
#include "gsan/tasks/shared/classification.h"
#include "gsan/tasks/trajectory/options.h"

namespace gsan {

class Trajectory : public Classification {
 public:
  Trajectory(SignalDataset dataset, Split split, const RandomStream& stream,
             const TrajectoryOptions& options = {}, const Placement& placement = {});

  std::string name() const override { return "trajectory"; }
  /// Only the order of the signals carries input.
  ModelShape shape() const override;
  /// Logistic regression on x, |x|, the harmonic coordinates, and these with their squares and products.
  std::vector<RuleResult> rules(Phase phase) const override;
  Tensor points() const override { return dataset_.points; }
  const SignalDataset& dataset() const { return dataset_; }

 protected:
  const TrajectoryOptions& options() const { return options_; }

 private:
  Batch batch_of(std::span<const std::int64_t> items) const override;
  /// A signal with an orientation of its own is answered alone.
  int evaluation_batch_size() const override;
  void orient(const RandomStream& stream);

  SignalDataset dataset_;
  TrajectoryOptions options_;
  Placement placement_;
  ComplexOperators operators_;
  std::map<std::int64_t, ComplexOperators> own_;  // of items with an orientation of their own
  Tensor signals_, labels_;  // on the device, re-oriented and in the order of the operators
};

/// The readout is linear on the flattened signal, unless the options say otherwise.
class PublishedTrajectory final : public Trajectory {
 public:
  using Trajectory::Trajectory;
  ModelShape shape() const override;
  std::vector<std::string> remarks() const override;
};

}  // namespace gsan
