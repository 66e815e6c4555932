#include "gsan/train/step_runner.h"

#include <cmath>

#include "gsan/core/check.h"
#include "gsan/ops/step_graph.h"

namespace gsan {
namespace {

const Tensor& checked(const Tensor& loss) {
  GSAN_CHECK(loss.defined() && loss.numel() == 1, "Trainer: the loss of a step must be one number, got ",
             loss.defined() ? concat("a tensor of shape ", loss.sizes()) : "an undefined tensor");
  return loss;
}

}  // namespace

StepRunner::StepRunner(Trainable& trainable, Optimizer& optimizer, StepOptions options)
    : trainable_(trainable), optimizer_(optimizer), options_(std::move(options)) {
  if (trainable.micro_batches() > 1)
    divided_ = std::make_unique<DividedStep>(trainable, optimizer, options_.ranks, options_.stop);
}

StepRunner::~StepRunner() = default;

StepNumbers StepRunner::run(std::int64_t epoch, std::int64_t step, double factor,
                            const RandomStream& dropout) {
  if (divided_) return divided_->run(epoch, step, factor, dropout);
  const std::unique_ptr<PackedStep> packed = trainable_.packed_step(epoch, step);
  if (optimizer_.is_on_host()) {
    optimizer_.zero_grad();
    return run_on_host(
        packed ? packed->loss(packed->bytes(), dropout) : trainable_.step_loss(epoch, step, dropout), factor);
  }
  optimizer_.set_rate(factor);
  if (!has_chosen_) choose_capture(packed != nullptr);
  if (packed) return run_packed(*packed, dropout);
  return numbers_of(queue([&] { return trainable_.step_loss(epoch, step, dropout); }));
}

StepNumbers StepRunner::run_on_host(const Tensor& loss, double factor) {
  const double value = checked(loss).item<double>();
  if (!std::isfinite(value)) return {value, 0};
  if (loss.requires_grad()) loss.backward();
  return {value, optimizer_.step(factor)};
}

StepNumbers StepRunner::run_packed(PackedStep& step, const RandomStream& dropout) {
  if (captured_) {
    const std::optional<StepNumbers> numbers = captured_->run(step, dropout);
    if (!captured_->refusal().empty()) {
      if (options_.on_message) options_.on_message(concat("steps are not captured: ", captured_->refusal()));
      captured_.reset();
    }
    if (numbers) return *numbers;
  }
  const torch::Device device = trainable_.module().parameters().front().device();
  return numbers_of(
      queue([&] { return step.loss(step.bytes().to(device, /*non_blocking=*/true), dropout); }));
}

// Loss, gradients and update, which nobody waits for: float64 [2], loss and norm, on the device.
Tensor StepRunner::queue(const std::function<Tensor()>& make_loss) {
  optimizer_.zero_grad();
  const Tensor loss = checked(make_loss());
  if (loss.requires_grad()) loss.backward();
  const Tensor norm = optimizer_.queue_step();
  return torch::stack({loss.detach().to(torch::kFloat64).reshape({}), norm.to(loss.device())});
}

void StepRunner::choose_capture(bool is_packed) {
  has_chosen_ = true;
  if (!options_.capture) return;
  const torch::Device device = trainable_.module().parameters().front().device();
  std::string reason = ops::why_no_graphs(device);
  if (reason.empty() && !is_packed) reason = "that is for batches of many complexes";
  if (reason.empty()) reason = trainable_.why_not_captured();
  if (!reason.empty()) {
    if (options_.on_message) options_.on_message(concat("steps are not captured: ", reason));
    return;
  }
  captured_ = std::make_unique<CapturedSteps>(
      device, [this](PackedStep& step, const Tensor& buffer, const RandomStream& dropout) {
        const Tensor numbers = queue([&] { return step.loss(buffer, dropout); });
        optimizer_.zero_grad();
        return numbers;
      });
}

}  // namespace gsan
