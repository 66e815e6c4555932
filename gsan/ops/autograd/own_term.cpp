#include "gsan/ops/own_term.h"

#include <torch/csrc/autograd/custom_function.h>

#include "gsan/core/check.h"
#include "gsan/ops/autograd/recording.h"
#include "gsan/ops/column_sums.h"

namespace gsan::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

at::Tensor product(const at::Tensor& epsilon, const at::Tensor& x) { return (1 + epsilon) * x; }

struct OwnTerm : torch::autograd::Function<OwnTerm> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& epsilon, const at::Tensor& x) {
    at::AutoDispatchBelowADInplaceOrView below;
    context->set_materialize_grads(false);
    context->save_for_backward({epsilon, x});
    return product(epsilon, x);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const WithoutAutocast types_of_forward;
    const at::Tensor& g = gradients[0];
    if (!g.defined()) return variable_list(2);
    const auto saved = context->get_saved_variables();
    const at::Tensor &epsilon = saved[0], &x = saved[1];
    variable_list result(2);
    if (context->needs_input_grad(0))
      result[0] = column_sums(g * x).sum(0, /*keepdim=*/true).to(epsilon.scalar_type());
    if (context->needs_input_grad(1)) result[1] = product(epsilon, g).to(x.scalar_type());
    return result;
  }
};

}  // namespace

at::Tensor own_term(const at::Tensor& epsilon, const at::Tensor& x) {
  GSAN_CHECK(epsilon.dim() == 1 && epsilon.size(0) == 1, "own_term: epsilon must be [1], got ",
             epsilon.sizes());
  GSAN_CHECK(x.dim() >= 2, "own_term: x must be [..., rows, columns], got ", x.sizes());
  const bool has_tangent = epsilon._fw_grad(0).defined() || x._fw_grad(0).defined();
  return has_tangent ? product(epsilon, x) : OwnTerm::apply(epsilon, x);
}

}  // namespace gsan::ops
