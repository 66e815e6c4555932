#pragma once
// One class per signal on a common complex (Table I): trajectories as flows on edges. The structure exists
// once; a batch is a leading dimension of the signals.

#include "gsan/tasks/classification.h"

namespace gsan {

/// How the simplices of the complex are oriented, the signals with them.
enum class OrientationChoice {
  standard,  ///< by increasing vertices
  random,    ///< a coin for every simplex, by the seed; x, B_1 and B_2 change together
};

template <>
struct EnumNames<OrientationChoice> {
  static constexpr std::pair<OrientationChoice, std::string_view> names[] = {
      {OrientationChoice::standard, "default"}, {OrientationChoice::random, "random"}};
};

struct TrajectoryOptions {
  int batch_size = 64;
  OrientationChoice orientation = OrientationChoice::standard;
  Protocol protocol = Protocol::strict;
  Placement placement{};

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("batch_size", self.batch_size, "signals of a training step");
    visit("orientation", self.orientation, "of the complex and its signals; random: drawn by the seed");
  }
};

class TrajectoryClassification final : public Classification {
 public:
  TrajectoryClassification(SignalDataset dataset, Split split, const RandomStream& stream,
                           const TrajectoryOptions& options = {});

  std::string name() const override { return "trajectory"; }
  /// Only the order of the signals carries input. strict: the readout pools |x|, which no re-orientation
  /// changes; published: it is linear on the flattened signal.
  ModelOptions complete(ModelOptions options) const override;
  std::vector<std::string> remarks() const override;
  /// Logistic regression on x, |x|, the harmonic coordinates, and these with their squares and products.
  std::vector<BaselineResult> baselines(Phase phase) const override;
  const SignalDataset& dataset() const { return dataset_; }

 private:
  Batch batch_of(std::span<const std::int64_t> items) const override;
  SignalDataset dataset_;
  TrajectoryOptions options_;
  ComplexOperators operators_;
  Tensor signals_, labels_;  // on the device, re-oriented and in the order of the operators
};

}  // namespace gsan
