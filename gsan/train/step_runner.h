#pragma once
// One step of training: loss, gradients, update.

#include "gsan/train/optimizer.h"
#include "gsan/train/trainable.h"

namespace gsan {

struct StepNumbers {
  double loss = 0;
  double norm = 0;  ///< of the gradients, before clipping
};

/// Borrows both.
class StepRunner {
 public:
  StepRunner(Trainable& trainable, Optimizer& optimizer) : trainable_(trainable), optimizer_(optimizer) {}

  /// A loss on the host that is not finite ends the step before its backward pass, a norm before its update.
  /// On another device both numbers are read at once, when everything is queued: the norm still guards the
  /// weights there, the loss does not. `factor` is that of the schedule.
  StepNumbers run(std::int64_t epoch, std::int64_t step, double factor, const RandomStream& dropout);

 private:
  Tensor loss_of(std::int64_t epoch, std::int64_t step, const RandomStream& dropout);
  StepNumbers run_on_host(const Tensor& loss, double factor);
  StepNumbers run_on_device(const Tensor& loss, double factor);
  Trainable& trainable_;
  Optimizer& optimizer_;
};

}  // namespace gsan
