#include "gsan/ops/column_scale.h"

#include <torch/csrc/autograd/custom_function.h>

#include "gsan/core/check.h"
#include "gsan/ops/autograd/recording.h"
#include "gsan/ops/column_sums.h"

namespace gsan::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

at::Tensor scaled(const at::Tensor& x, const at::Tensor& weight, const std::optional<at::Tensor>& bias) {
  const at::Tensor y = x * weight;
  return bias ? y + *bias : y;
}

struct ColumnScale : torch::autograd::Function<ColumnScale> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const std::optional<at::Tensor>& bias) {
    at::AutoDispatchBelowADInplaceOrView below;
    context->set_materialize_grads(false);
    context->save_for_backward({x, weight});
    if (bias) context->saved_data["type of bias"] = bias->scalar_type();
    return scaled(x, weight, bias);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const WithoutAutocast types_of_forward;
    variable_list result(3);
    const at::Tensor& g = gradients[0];
    if (!g.defined()) return result;
    const auto saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1];
    if (context->needs_input_grad(0)) result[0] = (g * weight).to(x.scalar_type());
    if (context->needs_input_grad(1)) result[1] = column_sums(g * x).to(weight.scalar_type());
    const auto type_of_bias = context->saved_data.find("type of bias");
    if (type_of_bias != context->saved_data.end())
      result[2] = column_sums(g).to(type_of_bias->second.toScalarType());
    return result;
  }
};

}  // namespace

at::Tensor column_scale(const at::Tensor& x, const at::Tensor& weight,
                        const std::optional<at::Tensor>& bias) {
  GSAN_CHECK(x.dim() >= 2, "column_scale: x must be [..., rows, columns], got ", x.sizes());
  bool has_tangent = x._fw_grad(0).defined();
  for (const std::optional<at::Tensor>& one : {std::optional(weight), bias}) {
    if (!one) continue;
    GSAN_CHECK(one->dim() == 1 && one->size(0) == x.size(-1), "column_scale: weight and bias must be [",
               x.size(-1), "], got ", one->sizes());
    has_tangent = has_tangent || one->_fw_grad(0).defined();
  }
  return has_tangent ? scaled(x, weight, bias) : ColumnScale::apply(x, weight, bias);
}

}  // namespace gsan::ops
