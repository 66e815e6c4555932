#include "gsan/nn/detail/local_gradients.h"

#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

namespace gsan {

using torch::autograd::variable_list;

struct LocalGradients::Gate : torch::autograd::Function<Gate> {
  struct State : torch::CustomClassHolder {
    std::shared_ptr<const bool> is_open;
    explicit State(std::shared_ptr<const bool> is_open_) : is_open(std::move(is_open_)) {}
  };

  static torch::Tensor forward(torch::autograd::AutogradContext* ctx, const torch::Tensor& x,
                               const std::shared_ptr<bool>& is_open) {
    ctx->set_materialize_grads(false);
    ctx->saved_data["state"] = c10::IValue::make_capsule(c10::make_intrusive<State>(is_open));
    return x.view_as(x);
  }

  static variable_list backward(torch::autograd::AutogradContext* ctx, const variable_list& gradients) {
    const auto state = ctx->saved_data["state"].toCapsule();
    const bool is_open = *static_cast<const State&>(*state).is_open;
    return {is_open ? gradients[0] : torch::Tensor(), torch::Tensor()};
  }
};

torch::Tensor LocalGradients::gate(const torch::Tensor& x) const { return Gate::apply(x, is_open_); }

variable_list LocalGradients::of(const variable_list& outputs, const variable_list& inputs,
                                 const variable_list& gradients) const {
  variable_list made = torch::autograd::grad(outputs, inputs, gradients, /*retain_graph=*/true,
                                             /*create_graph=*/true, /*allow_unused=*/true);
  *is_open_ = true;
  return made;
}

}  // namespace gsan
