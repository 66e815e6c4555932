#include "gsan/train/optimizer.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <ATen/ops/_fused_adam_ops.h>
#include <ATen/ops/_fused_adamw_ops.h>

#include "gsan/core/check.h"

namespace gsan {
namespace {

constexpr double largest = 1e30;  // fits into float32

// Of all gradients together, in float64.
double norm_of(const std::vector<Tensor>& gradients) {
  if (gradients.empty()) return 0;
  std::vector<Tensor> norms = at::_foreach_norm(gradients);
  for (Tensor& norm : norms) norm = norm.to(torch::kFloat64);
  return torch::stack(norms).square().sum().sqrt().item<double>();
}

}  // namespace

std::vector<std::string> OptimizerOptions::faults() const {
  std::vector<std::string> faults;
  const auto require = [&](bool holds, const char* rule, double value) {
    if (!holds) faults.push_back(concat(rule, ", got ", value));
  };
  require(learning_rate >= 0 && learning_rate <= largest, "learning_rate must be in [0, 1e30]",
          learning_rate);
  require(weight_decay >= 0 && weight_decay <= largest, "weight_decay must be in [0, 1e30]", weight_decay);
  require(beta1 >= 0 && beta1 < 1, "beta1 must be in [0, 1)", beta1);
  require(beta2 >= 0 && beta2 < 1, "beta2 must be in [0, 1)", beta2);
  require(epsilon > 0 && epsilon <= 1, "epsilon must be in (0, 1]", epsilon);
  require(momentum >= 0 && momentum < 1, "momentum must be in [0, 1)", momentum);
  require(!nesterov || momentum > 0, "nesterov needs momentum > 0", momentum);
  require(clip_norm >= 0 && std::isfinite(clip_norm), "clip_norm must be finite and >= 0 (0: no limit)",
          clip_norm);
  return faults;
}

void OptimizerOptions::validate() const { options::report("OptimizerOptions", faults()); }

Optimizer::Optimizer(OptimizerOptions options, const torch::nn::Module& module) : options_(options) {
  options_.validate();
  for (const auto& item : module.named_parameters()) {
    if (!item.value().requires_grad()) continue;
    GSAN_CHECK(item.value().is_contiguous(), "Optimizer: parameter '", item.key(),
               "' must be contiguous, got the strides ", item.value().strides(), " of ",
               item.value().sizes());
    slots_.push_back({item.key(), item.value(), {}, {}, 0});
  }
}

void Optimizer::zero_grad() {
  for (Slot& slot : slots_) slot.parameter.mutable_grad() = Tensor();
}

double Optimizer::step(double factor) {
  if (!is_on_host()) {
    set_rate(factor);
    return queue_step().item<double>();
  }
  const torch::NoGradGuard no_grad;
  std::vector<Tensor> gradients;
  for (const Slot& slot : slots_)
    if (slot.parameter.grad().defined()) gradients.push_back(slot.parameter.grad());
  const double norm = norm_of(gradients);
  if (!std::isfinite(norm)) return norm;
  if (options_.clip_norm > 0 && norm > options_.clip_norm)
    for (Tensor& gradient : gradients) gradient.mul_(options_.clip_norm / norm);

  const double learning_rate = options_.learning_rate * factor;
  std::vector<Slot*> updated;
  for (Slot& slot : slots_) {
    if (!slot.parameter.grad().defined()) continue;
    ++slot.steps;
    updated.push_back(&slot);
  }
  if (options_.kind == OptimizerKind::sgd)
    for (Slot* slot : updated) update_sgd(*slot, slot->parameter.grad(), learning_rate);
  else
    update_adam(updated, learning_rate);
  return norm;
}

// One operation for all parameters: a model has dozens of small ones.
void Optimizer::update_adam(const std::vector<Slot*>& slots, double learning_rate) {
  if (slots.empty()) return;
  std::vector<Tensor> parameters, gradients, first, second, steps;
  std::map<std::int64_t, Tensor> numbers;  // mostly all have done as many steps
  for (Slot* slot : slots) {
    const Tensor& parameter = slot->parameter;
    if (!slot->first.defined()) {
      slot->first = torch::zeros_like(parameter);
      slot->second = torch::zeros_like(parameter);
    }
    Tensor& number = numbers[slot->steps];
    if (!number.defined())
      number = torch::full({}, static_cast<double>(slot->steps), parameter.options().dtype(torch::kFloat32));
    parameters.push_back(parameter);
    gradients.push_back(parameter.grad().contiguous());
    first.push_back(slot->first);
    second.push_back(slot->second);
    steps.push_back(number);
  }
  const auto update =
      options_.kind == OptimizerKind::adamw ? at::_ops::_fused_adamw_::call : at::_ops::_fused_adam_::call;
  update(parameters, gradients, first, second, {}, steps, learning_rate, options_.beta1, options_.beta2,
         options_.weight_decay, options_.epsilon, /*amsgrad=*/false, /*maximize=*/false, {}, {});
}

void Optimizer::update_sgd(Slot& slot, Tensor gradient, double learning_rate) {
  if (options_.weight_decay > 0) gradient = gradient.add(slot.parameter, options_.weight_decay);
  if (options_.momentum > 0) {
    if (slot.first.defined()) {
      slot.first.mul_(options_.momentum).add_(gradient);
    } else {
      slot.first = gradient.clone();
    }
    gradient = options_.nesterov ? gradient.add(slot.first, options_.momentum) : slot.first;
  }
  slot.parameter.add_(gradient, -learning_rate);
}

NamedTensors Optimizer::state() const {
  NamedTensors state;
  const Tensor steps = torch::zeros({static_cast<std::int64_t>(slots_.size())}, torch::kInt64);
  std::ranges::copy(step_counts(), steps.mutable_data_ptr<std::int64_t>());
  state.emplace_back("steps", steps);
  for (const Slot& slot : slots_) {
    if (slot.first.defined()) state.emplace_back(slot.name + ".first", slot.first);
    if (slot.second.defined()) state.emplace_back(slot.name + ".second", slot.second);
  }
  return state;
}

void Optimizer::restore(const NamedTensors& state) {
  const SafetensorsFile file{state, {}};
  std::vector<std::string> faults;
  std::size_t used = 0;
  const auto take = [&](const std::string& name, const Tensor& like) {
    const Tensor* stored = file.find(name);
    if (stored == nullptr) return Tensor();
    ++used;
    if (stored->sizes() != like.sizes() || stored->scalar_type() != like.scalar_type()) {
      faults.push_back(concat("'", name, "' is ", stored->scalar_type(), " ", stored->sizes(),
                              ", the parameter is ", like.scalar_type(), " ", like.sizes()));
      return Tensor();
    }
    return stored->to(like.device(), like.scalar_type(), /*non_blocking=*/false, /*copy=*/true);
  };
  const Tensor steps = take("steps", torch::empty({static_cast<std::int64_t>(slots_.size())}, torch::kInt64));
  if (!steps.defined() && faults.empty()) faults.push_back(concat("'steps' is missing"));
  std::vector<Slot> restored = slots_;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = restored[i];
    slot.first = take(slot.name + ".first", slot.parameter);
    slot.second = take(slot.name + ".second", slot.parameter);
    slot.steps = steps.defined() ? steps.const_data_ptr<std::int64_t>()[i] : 0;
    const bool needs_first = slot.steps > 0 && (options_.kind != OptimizerKind::sgd || options_.momentum > 0);
    const bool needs_second = slot.steps > 0 && options_.kind != OptimizerKind::sgd;
    if (slot.first.defined() != needs_first || slot.second.defined() != needs_second)
      faults.push_back(concat("'", slot.name, "' has not the state of ", slot.steps, " updates with ",
                              name_of(options_.kind)));
  }
  if (used != state.size())
    faults.push_back(concat(state.size() - used, " stored tensors belong to no parameter"));
  options::report("Optimizer::restore: the state does not fit the parameters", faults);
  slots_ = std::move(restored);
  counts_ = Tensor();
}

}  // namespace gsan
