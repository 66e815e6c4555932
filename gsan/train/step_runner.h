#pragma once
// One step of training: loss, gradients, update.

#include <functional>
#include <memory>
#include <optional>

#include "gsan/train/captured_steps.h"
#include "gsan/train/divided_step.h"
#include "gsan/train/optimizer.h"
#include "gsan/train/trainable.h"

namespace gsan {

struct StepOptions {
  bool capture = true;                                   ///< TrainOptions::capture
  Ranks* ranks = nullptr;                                ///< TrainServices::ranks
  std::function<void(const std::string&)> on_message{};  ///< told once why nothing is captured
  std::function<bool()> stop{};                          ///< TrainServices::stop
};

/// Borrows trainable and optimiser.
class StepRunner {
 public:
  StepRunner(Trainable& trainable, Optimizer& optimizer, StepOptions options = {});
  ~StepRunner();

  /// A loss on the host that is not finite ends the step before its backward pass, a norm before its update.
  /// On another device both numbers are read at once, when everything is queued: the norm still guards the
  /// weights there, the loss does not. `factor` is that of the schedule.
  StepNumbers run(std::int64_t epoch, std::int64_t step, double factor, const RandomStream& dropout);

  /// DividedStep::is_asked_to_stop, where steps are divided.
  std::optional<bool> is_asked_to_stop() const {
    return divided_ ? divided_->is_asked_to_stop() : std::nullopt;
  }

 private:
  StepNumbers run_on_host(const Tensor& loss, double factor);
  StepNumbers run_packed(PackedStep& step, const RandomStream& dropout);
  Tensor queue(const std::function<Tensor()>& make_loss);
  void choose_capture(bool is_packed);
  Trainable& trainable_;
  Optimizer& optimizer_;
  StepOptions options_;
  bool has_chosen_ = false;                  // whether steps are captured
  std::unique_ptr<CapturedSteps> captured_;  // or none
  std::unique_ptr<DividedStep> divided_;     // where steps have several micro-batches
};

}  // namespace gsan
