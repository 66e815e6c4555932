#include "gsan/ops/row_product.h"

#include <ATen/autocast_mode.h>
#include <ATen/ops/_unsafe_view.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <torch/csrc/autograd/custom_function.h>

#include "gsan/ops/column_sums.h"
#include "gsan/ops/tall_products.h"

namespace gsan::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

using Bias = std::optional<at::Tensor>;

// Rows one after the other; there may be none, or no columns.
at::Tensor as_rows(const at::Tensor& x) {
  return x.reshape({c10::multiply_integers(x.sizes().begin(), x.sizes().end() - 1), x.size(-1)});
}

// [K, 0]: no scores beside the products.
at::Tensor no_projection(const at::Tensor& weight) { return weight.new_empty({weight.size(0), 0}); }

at::Tensor product(const at::Tensor& x, const at::Tensor& weight, const Bias& bias) {
  const at::Tensor W = weight.contiguous();
  at::Tensor y = tall_products(as_rows(x).contiguous(), W, no_projection(W)).products;
  if (bias) y.add_(*bias);
  if (x.dim() == 2) return y;
  std::vector<std::int64_t> sizes = x.sizes().vec();
  sizes.back() = weight.size(1);
  return at::_unsafe_view(y, sizes);  // a view that a node returns cannot be changed in place
}

struct RowProduct : torch::autograd::Function<RowProduct> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const Bias& bias) {
    context->set_materialize_grads(false);
    context->save_for_backward({x, weight});
    context->saved_data["has_bias"] = bias.has_value();
    return product(x, weight, bias);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1], &g = gradients[0];
    variable_list result(3);
    if (!g.defined()) return result;
    const bool of_x = context->needs_input_grad(0), of_weight = context->needs_input_grad(1);
    if (at::GradMode::is_enabled()) {  // a gradient that is differentiated in turn is made of torch's own ops
      if (of_x) result[0] = at::matmul(g, weight.t());
      if (of_weight) result[1] = as_rows(x).t().mm(as_rows(g));
    } else if (of_x || of_weight) {
      const at::Tensor rows = as_rows(g).contiguous(), W = weight.contiguous();
      const TallGradients made =
          tall_products_backward(rows, rows.new_empty({rows.size(0), 0}), as_rows(x).contiguous(), W,
                                 no_projection(W), {of_x, of_weight});
      if (of_x) result[0] = made.of_x.view(x.sizes());
      if (of_weight) result[1] = made.of_weight;
    }
    if (context->saved_data["has_bias"].toBool() && context->needs_input_grad(2)) result[2] = column_sums(g);
    return result;
  }
};

}  // namespace

at::Tensor row_product(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  const bool has_kernel = x.is_cpu() && x.scalar_type() == weight.scalar_type() && x.dim() > 1 &&
                          (x.scalar_type() == at::kFloat || x.scalar_type() == at::kDouble);
  const Bias given = bias.defined() ? Bias(bias) : std::nullopt;
  const auto has_tangent = [](const at::Tensor& of) { return of.defined() && of._fw_grad(0).defined(); };
  if (has_tangent(x) || has_tangent(weight) || has_tangent(bias) || !has_kernel ||
      at::autocast::is_autocast_enabled(at::kCPU))
    return at::linear(x, weight.t(), given);
  return RowProduct::apply(x, weight, given);
}

}  // namespace gsan::ops
