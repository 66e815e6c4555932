// A step that no number returns from: everything that decides about it is a tensor on the device of the
// parameters.

#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/_fused_adam_ops.h>
#include <ATen/ops/_fused_adamw_ops.h>
#include <ATen/ops/_fused_sgd_ops.h>

#include "gsan/ops/device.h"
#include "gsan/train/optimizer.h"

namespace gsan {
namespace {

// Of all gradients together, float64 [].
Tensor norm_of(const std::vector<Tensor>& gradients) {
  return torch::stack(at::_foreach_norm(gradients)).to(torch::kFloat64).square().sum().sqrt();
}

}  // namespace

bool Optimizer::is_on_host() const {
  return slots_.empty() || ops::computes_on_host(slots_.front().parameter);
}

void Optimizer::set_rate(double factor) {
  const double rate = options_.learning_rate * factor;
  if (slots_.empty() || rate == set_rate_) return;
  const auto type = slots_.front().parameter.options().dtype(torch::kFloat32).requires_grad(false);
  if (rate_.defined())
    rate_.fill_(rate);  // in its place, which captured steps read
  else
    rate_ = torch::full({}, rate, type);
  set_rate_ = rate;
}

// Takes over the counts of the host.
void Optimizer::count_on_device() {
  if (counts_.defined()) return;
  std::vector<float> counts;
  for (const Slot& slot : slots_) counts.push_back(static_cast<float>(slot.steps));
  counts_ = torch::tensor(counts).to(slots_.front().parameter.device());
}

std::vector<std::int64_t> Optimizer::step_counts() const {
  std::vector<std::int64_t> counts;
  const Tensor on_device = counts_.defined() ? counts_.cpu() : counts_;
  for (std::size_t i = 0; i < slots_.size(); ++i)
    counts.push_back(on_device.defined() ? static_cast<std::int64_t>(on_device.const_data_ptr<float>()[i])
                                         : slots_[i].steps);
  return counts;
}

Tensor Optimizer::queue_step() {
  const torch::NoGradGuard no_grad;
  if (!rate_.defined()) set_rate(1);
  std::vector<Tensor> parameters, gradients, first, second, counts;
  const bool is_sgd = options_.kind == OptimizerKind::sgd;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    if (!slot.parameter.grad().defined()) continue;
    count_on_device();
    if (!slot.first.defined() && (!is_sgd || options_.momentum > 0))
      slot.first = torch::zeros_like(slot.parameter);
    if (!slot.second.defined() && !is_sgd) slot.second = torch::zeros_like(slot.parameter);
    parameters.push_back(slot.parameter);
    gradients.push_back(slot.parameter.grad().contiguous());
    if (slot.first.defined()) first.push_back(slot.first);
    if (slot.second.defined()) second.push_back(slot.second);
    counts.push_back(counts_[static_cast<std::int64_t>(i)]);
  }
  if (parameters.empty())
    return torch::zeros({}, rate_.defined() ? rate_.options().dtype(torch::kFloat64) : torch::kFloat64);
  const Tensor norm = norm_of(gradients), is_finite = norm.isfinite().to(torch::kFloat32);
  at::_foreach_add_(counts, is_finite);
  const Tensor is_broken = 1 - is_finite;  // 1: the kernels below change nothing
  std::optional<Tensor> divisor;           // of the gradients
  if (options_.clip_norm > 0) divisor = (norm / options_.clip_norm).clamp_min(1).to(torch::kFloat32);
  if (is_sgd) {  // a momentum of zeros is the gradient after its first step
    at::_ops::_fused_sgd__tensor_lr::call(parameters, gradients, first, options_.weight_decay,
                                          options_.momentum, rate_, /*dampening=*/0, options_.nesterov,
                                          /*maximize=*/false, /*is_first_step=*/false, divisor, is_broken);
    return norm;
  }
  const auto update = options_.kind == OptimizerKind::adamw ? at::_ops::_fused_adamw__tensor_lr::call
                                                            : at::_ops::_fused_adam__tensor_lr::call;
  update(parameters, gradients, first, second, {}, counts, rate_, options_.beta1, options_.beta2,
         options_.weight_decay, options_.epsilon, /*amsgrad=*/false, /*maximize=*/false, divisor, is_broken);
  return norm;
}

}  // namespace gsan
