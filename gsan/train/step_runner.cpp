#include "gsan/train/step_runner.h"

#include <cmath>

#include "gsan/core/check.h"

namespace gsan {

StepNumbers StepRunner::run(std::int64_t epoch, std::int64_t step, double factor,
                            const RandomStream& dropout) {
  optimizer_.zero_grad();
  const Tensor loss = loss_of(epoch, step, dropout);
  return optimizer_.is_on_host() ? run_on_host(loss, factor) : run_on_device(loss, factor);
}

Tensor StepRunner::loss_of(std::int64_t epoch, std::int64_t step, const RandomStream& dropout) {
  const Tensor loss = trainable_.step_loss(epoch, step, dropout);
  GSAN_CHECK(loss.defined() && loss.numel() == 1, "Trainer: the loss of a step must be one number, got ",
             loss.defined() ? concat("a tensor of shape ", loss.sizes()) : "an undefined tensor");
  return loss;
}

StepNumbers StepRunner::run_on_host(const Tensor& loss, double factor) {
  const double value = loss.item<double>();
  if (!std::isfinite(value)) return {value, 0};
  if (loss.requires_grad()) loss.backward();
  return {value, optimizer_.step(factor)};
}

StepNumbers StepRunner::run_on_device(const Tensor& loss, double factor) {
  optimizer_.set_rate(factor);
  if (loss.requires_grad()) loss.backward();
  const Tensor norm = optimizer_.queue_step();
  const Tensor both =
      torch::stack({loss.detach().to(torch::kFloat64).reshape({}), norm.to(loss.device())}).cpu();
  return {both.const_data_ptr<double>()[0], both.const_data_ptr<double>()[1]};
}

}  // namespace gsan
