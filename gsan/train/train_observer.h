#pragma once
// Who wants to know how a training goes. The loop tells; it prints nothing itself.

#include <cstdint>
#include <string>

#include "gsan/train/trainable.h"

namespace gsan {

struct StepReport {
  std::int64_t epoch = 0, epochs = 0;  ///< epochs are counted from 0
  std::int64_t step = 0, steps = 0;    ///< of this epoch
  double loss = 0;
};

struct EpochReport {
  std::int64_t epoch = 0, epochs = 0;
  const Metrics& metrics;
  bool is_best = false;  ///< the best epoch so far
};

class TrainObserver {
 public:
  virtual ~TrainObserver() = default;
  /// `done`: share of the run that earlier sessions did.
  virtual void on_begin([[maybe_unused]] double done) {}
  virtual void on_step([[maybe_unused]] const StepReport& report) {}
  virtual void on_epoch([[maybe_unused]] const EpochReport& report) {}
  virtual void on_message([[maybe_unused]] const std::string& message) {}
  virtual void on_end() {}
};

}  // namespace gsan
