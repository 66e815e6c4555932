// With P the plain product and y = a ⊙ P (b ⊙ x), a and b the factors of y and x:
//   ∂x = b ⊙ Pᵀ (a ⊙ g),   ∂b = ⟨x, Pᵀ (a ⊙ g)⟩,   ∂a = ⟨g, P (b ⊙ x)⟩,
// ⟨,⟩ summed over the features of a group, and over the signals that share their factors. Without a graph of
// the gradient, ∂x and ∂b come out of one pass.

#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "gsan/ops/autograd/recording.h"
#include "gsan/ops/detail/scaled_incidence_checks.h"

namespace gsan::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using Optional = std::optional<at::Tensor>;

Optional optional(const at::Tensor& x) { return x.defined() ? Optional(x) : std::nullopt; }

// ⟨a, b⟩ per group, shaped as `factors`.
at::Tensor dots_like(const at::Tensor& factors, const at::Tensor& a, const at::Tensor& b) {
  const c10::SymInt groups = factors.sym_size(-1);
  const at::Tensor dots = (a * b).unflatten_symint(-1, {groups, a.sym_size(-1) / groups}).sum(-1);
  return at::sum_to(dots, factors.sym_sizes());
}

struct Scaled : torch::autograd::Function<Scaled> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const Optional& x_factors,
                            const Optional& y_factors, const std::vector<at::Tensor>& tables, bool boundary,
                            bool absolute) {
    at::AutoDispatchBelowADInplaceOrView below;
    ctx->set_materialize_grads(false);
    variable_list saved = {x, x_factors.value_or(at::Tensor()), y_factors.value_or(at::Tensor())};
    saved.insert(saved.end(), tables.begin(), tables.end());
    ctx->save_for_backward(std::move(saved));
    ctx->saved_data["boundary"] = boundary, ctx->saved_data["absolute"] = absolute;
    return scaled_incidence_call(x, x_factors, y_factors, tables, boundary, absolute);
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const WithoutAutocast types_of_forward;
    const at::Tensor& g = gradients[0];
    variable_list result(6);
    if (!g.defined()) return result;
    const auto saved = ctx->get_saved_variables();
    const at::Tensor &x = saved[0], &b = saved[1], &a = saved[2];
    const at::TensorList tables = at::TensorList(saved).slice(3);
    const bool boundary = ctx->saved_data["boundary"].toBool(),
               absolute = ctx->saved_data["absolute"].toBool();
    const bool for_x = ctx->needs_input_grad(0), for_b = b.defined() && ctx->needs_input_grad(1),
               for_a = a.defined() && ctx->needs_input_grad(b.defined() ? 2 : 1);
    if (at::GradMode::is_enabled()) {
      if (for_x) result[0] = scaled_incidence_call(g, optional(a), optional(b), tables, !boundary, absolute);
      if (for_b)
        result[1] =
            dots_like(b, x, scaled_incidence_call(g, optional(a), std::nullopt, tables, !boundary, absolute));
      if (for_a)
        result[2] =
            dots_like(a, g, scaled_incidence_call(x, optional(b), std::nullopt, tables, boundary, absolute));
      return result;
    }
    if (for_x || for_b) {
      const auto [of_x, dots] = scaled_sums_call(g, optional(a), optional(b), tables, !boundary, absolute,
                                                 for_b ? Optional(x) : std::nullopt, for_x);
      if (for_x) result[0] = of_x;
      if (for_b) result[1] = at::sum_to(dots, b.sym_sizes());
    }
    if (for_a) {
      const auto dots =
          std::get<1>(scaled_sums_call(x, optional(b), optional(a), tables, boundary, absolute, g, false));
      result[2] = at::sum_to(dots, a.sym_sizes());
    }
    return result;
  }
};

at::Tensor scaled_autograd(const at::Tensor& x, const Optional& x_factors, const Optional& y_factors,
                           at::TensorList tables, bool boundary, bool absolute) {
  if (records(x) || (x_factors && records(*x_factors)) || (y_factors && records(*y_factors))) {
    check_scaled(x, x_factors, y_factors, tables, boundary);
    return Scaled::apply(x, x_factors, y_factors, tables.vec(), boundary, absolute);
  }
  at::AutoDispatchBelowADInplaceOrView below;
  return scaled_incidence_call(x, x_factors, y_factors, tables, boundary, absolute);
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, Autograd, m) {
  m.impl("scaled_incidence", scaled_autograd);
  // Only called where no graph is recorded.
  m.impl("scaled_sums", torch::CppFunction::makeFallthrough());
}

}  // namespace gsan::ops
