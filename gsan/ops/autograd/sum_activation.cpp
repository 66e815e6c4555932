// One node: g σ'(y) once for all terms. Where a graph of the gradient is asked for, it is made of torch's own
// ops, which differentiate in turn.

#include "gsan/ops/sum_activation.h"

#include <algorithm>

#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "gsan/ops/autograd/recording.h"
#include "gsan/ops/column_sums.h"
#include "gsan/ops/detail/sum_activation_checks.h"

namespace gsan::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct SumActivation : torch::autograd::Function<SumActivation> {
  static at::Tensor forward(AutogradContext* ctx, at::TensorList terms, const std::optional<at::Tensor>& bias,
                            std::string_view activation) {
    at::AutoDispatchBelowADInplaceOrView below;
    ctx->set_materialize_grads(false);
    const at::Tensor y = sum_activation_call(terms, bias, activation);
    ctx->saved_data["terms"] = static_cast<std::int64_t>(terms.size());
    ctx->saved_data["bias"] = bias.has_value() && bias->requires_grad();
    ctx->saved_data["activation"] = std::string(activation);
    if (nonlinearity(activation) != Nonlinearity::identity) ctx->save_for_backward({y});
    return y;
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const WithoutAutocast types_of_forward;
    const auto count = static_cast<std::size_t>(ctx->saved_data["terms"].toInt());
    variable_list result(count + 2);  // terms, bias, activation
    if (!gradients[0].defined()) return result;
    const std::string name = ctx->saved_data["activation"].toStringRef();
    const bool bias = ctx->saved_data["bias"].toBool();
    const Nonlinearity activation = nonlinearity(name);
    at::Tensor of_terms = gradients[0], of_bias;
    if (activation == Nonlinearity::identity || at::GradMode::is_enabled()) {
      if (activation != Nonlinearity::identity)
        of_terms = activation_gradient(activation, of_terms, ctx->get_saved_variables()[0]);
      if (bias) of_bias = column_sums(of_terms);
    } else {
      std::tie(of_terms, of_bias) =
          sum_activation_backward(of_terms, ctx->get_saved_variables()[0], name, bias);
    }
    std::fill_n(result.begin(), count, of_terms);
    if (bias) result[count] = of_bias;
    return result;
  }
};

// By its argument: σ' is no function of the result.
struct Gelu : torch::autograd::Function<Gelu> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x) {
    at::AutoDispatchBelowADInplaceOrView below;
    ctx->set_materialize_grads(false);
    ctx->save_for_backward({x});
    return sum_activation_call({x}, std::nullopt, "gelu");
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const WithoutAutocast types_of_forward;
    const at::Tensor &g = gradients[0], x = ctx->get_saved_variables()[0];
    if (!g.defined()) return {at::Tensor()};
    if (at::GradMode::is_enabled()) return {activation_gradient(Nonlinearity::gelu, g, x)};
    return {std::get<0>(sum_activation_backward(g, x, "gelu", false))};
  }
};

at::Tensor forward_autograd(at::TensorList terms, const std::optional<at::Tensor>& bias,
                            std::string_view activation) {
  const bool recorded = std::any_of(terms.begin(), terms.end(), [](const auto& t) { return records(t); }) ||
                        (bias && records(*bias));
  if (!recorded) {
    at::AutoDispatchBelowADInplaceOrView below;
    return sum_activation_call(terms, bias, activation);
  }
  if (nonlinearity(activation) == Nonlinearity::gelu)
    return Gelu::apply(terms.size() == 1 && !bias ? terms[0] : sum_activation_call(terms, bias, "identity"));
  return SumActivation::apply(terms, bias, activation);
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, Autograd, m) {
  m.impl("sum_activation", forward_autograd);
  // Only called where no graph is recorded.
  m.impl("sum_activation_backward", torch::CppFunction::makeFallthrough());
}

}  // namespace gsan::ops
