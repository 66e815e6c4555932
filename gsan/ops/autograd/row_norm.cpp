#include "gsan/ops/row_norm.h"

#include <ATen/autocast_mode.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/native_batch_norm_backward.h>
#include <torch/csrc/autograd/custom_function.h>

#include "gsan/core/check.h"
#include "gsan/ops/autograd/recording.h"
#include "gsan/ops/cpu/row_norm.h"

namespace gsan::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct RowNorm : torch::autograd::Function<RowNorm> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& given, const at::Tensor& weight,
                            const at::Tensor& bias, const at::Tensor& running_mean,
                            const at::Tensor& running_var, double momentum, double epsilon) {
    context->set_materialize_grads(false);
    const at::Tensor x = given.contiguous(), w = weight.contiguous(), b = bias.contiguous();
    auto [y, scale] = row_norm_cpu(x, w, b, running_mean, running_var, momentum, epsilon);
    context->save_for_backward({given, weight, scale});
    context->saved_data["epsilon"] = epsilon;
    return y;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const WithoutAutocast types_of_forward;
    variable_list result(7);
    if (!gradients[0].defined()) return result;
    const auto saved = context->get_saved_variables();
    const bool is_differentiated = at::GradMode::is_enabled() || gradients[0]._fw_grad(0).defined();
    const RowNormGradients made =
        is_differentiated
            ? differentiable(gradients[0], saved, context->saved_data["epsilon"].toDouble())
            : row_norm_backward_cpu(gradients[0].contiguous(), saved[0].contiguous(), saved[1].contiguous(),
                                    saved[2], context->needs_input_grad(0));
    result[0] = made.of_x, result[1] = made.of_weight, result[2] = made.of_bias;
    return result;
  }

 private:
  static RowNormGradients differentiable(const at::Tensor& g, const variable_list& saved, double epsilon) {
    const at::Tensor &x = saved[0], scale = saved[2].to(x.scalar_type());
    auto [of_x, of_weight, of_bias] = at::native_batch_norm_backward(
        g, x, saved[1], {}, {}, scale[0], scale[1], /*train=*/true, epsilon, {true, true, true});
    return {of_x, of_weight, of_bias};
  }
};

}  // namespace

at::Tensor row_norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                    const at::Tensor& running_mean, const at::Tensor& running_var, double momentum,
                    double epsilon) {
  GSAN_CHECK(x.dim() == 2 && x.size(0) >= 2 && x.size(1) >= 1,
             "row_norm: x must be [n, channels] with at least two rows, got ", x.sizes());
  for (const at::Tensor& other : {weight, bias, running_mean, running_var})
    GSAN_CHECK(other.dim() == 1 && other.size(0) == x.size(1),
               "row_norm: weight, bias and running statistics must be [", x.size(1), "], got ",
               other.sizes());
  const auto fits = [&](const at::Tensor& other) {
    return other.is_cpu() && other.scalar_type() == x.scalar_type() && !other._fw_grad(0).defined();
  };
  const bool has_kernel = (x.scalar_type() == at::kFloat || x.scalar_type() == at::kDouble) && fits(x) &&
                          fits(weight) && fits(bias) && fits(running_mean) && fits(running_var) &&
                          running_mean.is_contiguous() && running_var.is_contiguous() &&
                          !at::autocast::is_autocast_enabled(at::kCPU);
  if (!has_kernel)
    return at::batch_norm(x, weight, bias, running_mean, running_var, /*training=*/true, momentum, epsilon,
                          /*cudnn_enabled=*/true);
  return RowNorm::apply(x, weight, bias, running_mean, running_var, momentum, epsilon);
}

}  // namespace gsan::ops
