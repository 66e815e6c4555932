// S is symmetric: the gradient of S^steps x is S^steps of the gradient, through the dispatcher, so that it
// has a gradient in turn.

#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "gsan/ops/autograd/recording.h"
#include "gsan/ops/detail/laplacian_step_checks.h"

namespace gsan::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using Optional = std::optional<at::Tensor>;

struct Step : torch::autograd::Function<Step> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const Optional& base,
                            const std::vector<at::Tensor>& lower, const std::vector<at::Tensor>& upper,
                            double alpha, double beta, const Optional& row_alpha, const Optional& row_beta,
                            std::int64_t steps, bool absolute) {
    at::AutoDispatchBelowADInplaceOrView below;
    ctx->set_materialize_grads(false);
    variable_list saved = {row_alpha.value_or(at::Tensor()), row_beta.value_or(at::Tensor())};
    saved.insert(saved.end(), lower.begin(), lower.end());
    saved.insert(saved.end(), upper.begin(), upper.end());
    ctx->save_for_backward(std::move(saved));
    ctx->saved_data["lower"] = static_cast<std::int64_t>(lower.size());
    ctx->saved_data["alpha"] = alpha;
    ctx->saved_data["beta"] = beta;
    ctx->saved_data["steps"] = steps;
    ctx->saved_data["base"] = base.has_value();
    ctx->saved_data["absolute"] = absolute;
    return laplacian_step_call(x, base, lower, upper, alpha, beta, row_alpha, row_beta, steps, absolute);
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const WithoutAutocast types_of_forward;
    const at::Tensor& g = gradients[0];
    variable_list result(10);  // one per argument of forward
    if (!g.defined()) return result;
    const auto saved = ctx->get_saved_variables();
    const auto optional = [](const at::Tensor& t) { return t.defined() ? Optional(t) : std::nullopt; };
    const at::TensorList tables = at::TensorList(saved).slice(2);
    const auto lower = static_cast<std::size_t>(ctx->saved_data["lower"].toInt());
    if (ctx->needs_input_grad(0)) {
      result[0] = laplacian_step_call(g, std::nullopt, tables.slice(0, lower), tables.slice(lower),
                                      ctx->saved_data["alpha"].toDouble(), ctx->saved_data["beta"].toDouble(),
                                      optional(saved[0]), optional(saved[1]),
                                      ctx->saved_data["steps"].toInt(), ctx->saved_data["absolute"].toBool());
    }
    if (ctx->saved_data["base"].toBool()) result[1] = g;
    return result;
  }
};

at::Tensor step_autograd(const at::Tensor& x, const Optional& base, at::TensorList lower,
                         at::TensorList upper, double alpha, double beta, const Optional& row_alpha,
                         const Optional& row_beta, std::int64_t steps, bool absolute) {
  if (records(x) || (base && records(*base))) {
    check_laplacian_step(x, base, lower, upper, row_alpha, row_beta, steps);
    return Step::apply(x, base, lower.vec(), upper.vec(), alpha, beta, row_alpha, row_beta, steps, absolute);
  }
  at::AutoDispatchBelowADInplaceOrView below;
  return laplacian_step_call(x, base, lower, upper, alpha, beta, row_alpha, row_beta, steps, absolute);
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, Autograd, m) { m.impl("laplacian_step", step_autograd); }

}  // namespace gsan::ops
