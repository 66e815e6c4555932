#pragma once
// How the learning rate changes: a factor on the optimizer's learning rate, per step.

#include <cstdint>
#include <string>
#include <vector>

#include "gsan/core/options.h"
#include "gsan/train/patience.h"

namespace gsan {

enum class ScheduleKind {
  constant,
  step,     ///< times `factor` every step_epochs epochs
  cosine,   ///< half a cosine from 1 to `minimum` (Loshchilov, Hutter 2017, without restarts)
  plateau,  ///< times `factor` when the choosing metric did not improve for `patience` validations
};

template <>
struct EnumNames<ScheduleKind> {
  static constexpr std::pair<ScheduleKind, std::string_view> names[] = {{ScheduleKind::constant, "constant"},
                                                                        {ScheduleKind::step, "step"},
                                                                        {ScheduleKind::cosine, "cosine"},
                                                                        {ScheduleKind::plateau, "plateau"}};
};

struct ScheduleOptions {
  ScheduleKind kind = ScheduleKind::constant;
  double warmup_epochs = 0;  ///< any kind: a linear rise from 0, step by step; the cosine starts after it
  int step_epochs = 50;
  double factor = 0.5;   ///< step, plateau
  double minimum = 0;    ///< step, cosine, plateau: the factor never falls below
  int patience = 10;     ///< plateau
  double threshold = 0;  ///< plateau: an improvement is more than this

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("kind", self.kind, "of the learning rate: constant, step, cosine or plateau");
    visit("warmup_epochs", self.warmup_epochs, "epochs of a linear rise from 0, before any kind");
    visit("step_epochs", self.step_epochs, "step: epochs between two reductions");
    visit("factor", self.factor, "step, plateau: what the learning rate is multiplied by");
    visit("minimum", self.minimum, "smallest share of the learning rate");
    visit("patience", self.patience, "plateau: validations without improvement before a reduction");
    visit("threshold", self.threshold, "plateau: an improvement is more than this");
  }
  std::vector<std::string> faults() const;
  void validate() const;  ///< one Error with every fault
};

/// What a plateau schedule remembers; the others are functions of epoch and step.
struct ScheduleState {
  double factor = 1;
  Patience patience;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("factor", self.factor);
    visit("patience", self.patience);
  }
};

class Schedule {
 public:
  Schedule(ScheduleOptions options, std::int64_t epochs, bool more_is_better);

  /// For step 0 … steps − 1 of an epoch.
  double factor(std::int64_t epoch, std::int64_t step, std::int64_t steps) const;

  /// The choosing metric, once per validation.
  void observe(double metric);

  const ScheduleState& state() const { return state_; }
  void restore(const ScheduleState& state) { state_ = state; }

 private:
  ScheduleOptions options_;
  std::int64_t epochs_;
  bool more_is_better_;
  ScheduleState state_;
};

}  // namespace gsan
