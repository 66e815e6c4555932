#include "gsan/nn/recompute.h"

#include <algorithm>

#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include "gsan/core/check.h"
#include "gsan/nn/detail/local_gradients.h"

namespace gsan {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// What is computed twice.
struct Call : torch::CustomClassHolder {
  SimplicialLayer layer{nullptr};
  ComplexOperators operators;
  ForwardContext context;
  std::vector<bool> has_signal;  // per order

  Call(SimplicialLayer layer_, ComplexOperators operators_, ForwardContext context_)
      : layer(std::move(layer_)), operators(std::move(operators_)), context(std::move(context_)) {}

  // The orders' signals, from those that are defined: the first of `inputs`.
  Cochains signals(const variable_list& inputs) const {
    Cochains all(has_signal.size());
    for (std::size_t k = 0, next = 0; k < all.size(); ++k)
      if (has_signal[k]) all[k] = inputs[next++];
    return all;
  }

  variable_list run(const variable_list& inputs) const {
    variable_list defined;
    for (const Tensor& y : layer.ptr()->forward(operators, signals(inputs), context).signals)
      if (y.defined()) defined.push_back(y);
    return defined;
  }
};

struct Recompute : torch::autograd::Function<Recompute> {
  /// inputs: signals, then the parameters, so that autograd sees who depends on what.
  static variable_list forward(AutogradContext* ctx, const c10::intrusive_ptr<Call>& call,
                               at::TensorList inputs) {
    ctx->set_materialize_grads(false);
    ctx->save_for_backward(inputs.vec());
    ctx->saved_data["call"] = c10::IValue::make_capsule(call);
    return call->run(inputs.vec());
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const auto capsule = ctx->saved_data["call"].toCapsule();
    const Call& call = static_cast<const Call&>(*capsule);
    variable_list inputs = ctx->get_saved_variables();
    if (!any_defined(gradients)) return variable_list(inputs.size() + 1);
    const bool differentiable = at::GradMode::is_enabled();
    const at::AutoGradMode recording(true);
    const auto signals =
        static_cast<std::size_t>(std::count(call.has_signal.begin(), call.has_signal.end(), true));
    const LocalGradients local;
    for (std::size_t i = 0; i < signals; ++i)
      inputs[i] = differentiable ? local.gate(inputs[i])
                                 : inputs[i].detach().requires_grad_(inputs[i].requires_grad());
    const variable_list outputs = call.run(inputs);
    variable_list wanted, of, with;
    for (const Tensor& input : inputs)
      if (input.requires_grad()) wanted.push_back(input);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!gradients[i].defined() || !outputs[i].requires_grad()) continue;
      of.push_back(outputs[i]);
      with.push_back(gradients[i]);
    }
    variable_list result(1);  // the call
    variable_list found;
    if (!of.empty())
      found = differentiable ? local.of(of, wanted, with)
                             : torch::autograd::grad(of, wanted, with, /*retain_graph=*/false,
                                                     /*create_graph=*/false, /*allow_unused=*/true);
    std::size_t next = 0;
    for (const Tensor& input : inputs)
      result.push_back(input.requires_grad() && !of.empty() ? found[next++] : Tensor());
    return result;
  }
};

}  // namespace

Cochains recomputed_forward(const SimplicialLayer& layer, const ComplexOperators& operators,
                            const Cochains& signals, const ForwardContext& context) {
  GSAN_CHECK(!context.return_attention_weights,
             "recomputed_forward: attention weights are not kept; ask for them without recomputation");
  for (const auto& parameter : layer->named_parameters())
    GSAN_CHECK(!at::GradMode::is_enabled() || !has_hooks(parameter.value()),
               "recomputed_forward: the parameter '", parameter.key(),
               "' has a hook, which would run twice; remove it, or compute without recomputation");
  auto call = c10::make_intrusive<Call>(layer, operators, context);
  variable_list inputs;
  for (const Tensor& x : signals) {
    call->has_signal.push_back(x.defined());
    if (x.defined()) inputs.push_back(x);
  }
  const auto parameters = layer->parameters();
  inputs.insert(inputs.end(), parameters.begin(), parameters.end());
  const variable_list outputs = Recompute::apply(call, at::TensorList(inputs));
  Cochains all(static_cast<std::size_t>(layer->options().order) + 1);
  std::size_t next = 0;
  for (const int k : layer->options().active_orders()) all[k] = outputs[next++];
  return all;
}

}  // namespace gsan
