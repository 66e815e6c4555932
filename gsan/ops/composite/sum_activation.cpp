// sum_activation on a device without a kernel of its own.

#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/ops/column_sums.h"
#include "gsan/ops/detail/sum_activation_checks.h"

namespace gsan::ops {
namespace {

at::Tensor forward_composite(at::TensorList terms, const std::optional<at::Tensor>& bias,
                             std::string_view activation) {
  const Nonlinearity chosen = check_sum_activation(terms, bias, activation);
  at::Tensor sum = terms[0];
  for (const at::Tensor& term : terms.slice(1)) sum = sum + term;
  if (bias) sum = sum + *bias;
  const at::Tensor y = activated(chosen, sum);
  return y.is_same(terms[0]) ? y.clone() : y;  // an op must not return its argument
}

std::tuple<at::Tensor, at::Tensor> backward_composite(const at::Tensor& gradient, const at::Tensor& y,
                                                      std::string_view activation, bool bias) {
  const Nonlinearity chosen = check_sum_activation_backward(gradient, y, activation);
  const at::Tensor g = activation_gradient(chosen, gradient, y);
  return {g.is_same(gradient) ? g.clone() : g, bias ? column_sums(g) : at::empty({0}, y.options())};
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CompositeExplicitAutograd, m) {
  m.impl("sum_activation", forward_composite);
  m.impl("sum_activation_backward", backward_composite);
}

}  // namespace gsan::ops
