#include "gsan/ops/row_product.h"

#include <ATen/autocast_mode.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <torch/csrc/autograd/custom_function.h>

#include "gsan/ops/narrow_products.h"

namespace gsan::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

using Bias = std::optional<at::Tensor>;

// Rows one after the other.
at::Tensor as_rows(const at::Tensor& x) { return x.reshape({-1, x.size(-1)}); }

struct RowProduct : torch::autograd::Function<RowProduct> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const Bias& bias) {
    context->save_for_backward({x, weight});
    context->saved_data["has_bias"] = bias.has_value();
    return at::linear(x, weight.t(), bias);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1], &g = gradients[0];
    variable_list result(3);
    if (!g.defined()) return result;
    if (context->needs_input_grad(0)) result[0] = at::matmul(g, weight.t());
    // A gradient that is differentiated in turn is made of torch's own ops.
    if (context->needs_input_grad(1))
      result[1] = at::GradMode::is_enabled() ? as_rows(x).t().mm(as_rows(g))
                                             : tall_gram(as_rows(x).contiguous(), as_rows(g).contiguous());
    if (context->saved_data["has_bias"].toBool() && context->needs_input_grad(2))
      result[2] = as_rows(g).sum(0);
    return result;
  }
};

}  // namespace

at::Tensor row_product(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  const bool has_gram = x.is_cpu() && x.scalar_type() == weight.scalar_type() && x.dim() > 1 &&
                        (x.scalar_type() == at::kFloat || x.scalar_type() == at::kDouble);
  const Bias given = bias.defined() ? Bias(bias) : std::nullopt;
  if (!has_gram || !at::GradMode::is_enabled() || !weight.requires_grad() ||
      at::autocast::is_autocast_enabled(at::kCPU))
    return at::linear(x, weight.t(), given);
  return RowProduct::apply(x, weight, given);
}

}  // namespace gsan::ops
