#pragma once
// What the training loop needs to know of a problem and its model. The loop sees training steps and
// validation; held-out test data are out of its reach.

#include <cstdint>
#include <memory>
#include <string>

#include <torch/nn/module.h>

#include "gsan/core/options.h"
#include "gsan/core/random.h"
#include "gsan/tasks/shared/metrics.h"
#include "gsan/train/packed_step.h"

namespace gsan {

class Trainable {
 public:
  virtual ~Trainable() = default;

  /// The loop switches it between train() and eval(), takes gradients of its parameters and stores
  /// parameters and buffers.
  virtual torch::nn::Module& module() = 0;

  /// What it takes to build the module again, stored beside its weights (nn/weights.h).
  virtual std::string kind() const = 0;
  virtual OptionMap options() const = 0;

  /// Updates in this epoch; at least 1.
  virtual std::int64_t steps_per_epoch(std::int64_t epoch) = 0;

  /// The loss (one number) of a step. A function of the weights, the seed, epoch, step and stream alone: a
  /// resumed run asks for the same steps again. `dropout` is a stream of this step's own.
  virtual Tensor step_loss(std::int64_t epoch, std::int64_t step, const RandomStream& dropout) = 0;

  /// Into how many micro-batches a step is divided; 1: it is not. Gradients are then summed over them, in
  /// their order (train/divided_step.h).
  virtual int micro_batches() const { return 1; }
  /// The share of a micro-batch in the loss of the step: together they are step_loss(), up to rounding, and
  /// like it a function of the weights, the seed, epoch, step and stream alone. Undefined where no item falls
  /// to it.
  virtual Tensor micro_loss(std::int64_t epoch, std::int64_t step, int micro_batch,
                            const RandomStream& dropout);

  /// The step as one buffer of inputs, where it can be had so; nullptr: step_loss() makes it. Its loss is a
  /// function of the same.
  virtual std::unique_ptr<PackedStep> packed_step([[maybe_unused]] std::int64_t epoch,
                                                  [[maybe_unused]] std::int64_t step) {
    return nullptr;
  }
  /// Why packed steps are not to be captured (train/captured_steps.h), for people; empty: they may be.
  virtual std::string why_not_captured() const { return {}; }

  /// Brings up to date what evaluation needs beside the weights of the last step; a function of them. Before
  /// every validation and before the weights of an epoch are kept. The module is in eval mode, gradients are
  /// off.
  virtual void prepare_evaluation() {}

  /// The module is in eval mode, gradients are off.
  virtual Metrics validate() = 0;

  /// Which metric of validate() chooses the epoch; empty: none, the last epoch is the best.
  virtual std::string choosing_metric() const = 0;
  virtual bool more_is_better() const { return true; }
  /// A metric of validate() of which less is better: of epochs that the first one does not tell apart, it
  /// chooses. Empty: the earliest is chosen.
  virtual std::string tie_metric() const { return {}; }
};

inline Tensor Trainable::micro_loss(std::int64_t epoch, std::int64_t step, int, const RandomStream& dropout) {
  return step_loss(epoch, step, dropout);  // one for all
}

}  // namespace gsan
