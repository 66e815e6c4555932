#include "gsan/ops/sum_activation.h"

#include <ATen/ops/elu.h>
#include <ATen/ops/elu_backward.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/gelu_backward.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/leaky_relu_backward.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/sigmoid_backward.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/tanh_backward.h>
#include <ATen/ops/threshold_backward.h>
#include <torch/library.h>

#include "gsan/core/check.h"
#include "gsan/ops/detail/operand_checks.h"
#include "gsan/ops/detail/sum_activation_checks.h"

namespace gsan::ops {
namespace {

constexpr const char* who = "gsan::sum_activation";
using Forward = at::Tensor(at::TensorList, const std::optional<at::Tensor>&, std::string_view);
using Backward = std::tuple<at::Tensor, at::Tensor>(const at::Tensor&, const at::Tensor&, std::string_view,
                                                    bool);

at::Tensor empty_like(const at::Tensor& x, c10::SymIntArrayRef sizes) {
  return at::empty_symint(sizes, x.options().memory_format(std::nullopt));
}

at::Tensor forward_meta(at::TensorList terms, const std::optional<at::Tensor>& bias,
                        std::string_view activation) {
  check_sum_activation(terms, bias, activation);
  return empty_like(terms[0], terms[0].sym_sizes());
}

std::tuple<at::Tensor, at::Tensor> backward_meta(const at::Tensor& gradient, const at::Tensor& y,
                                                 std::string_view activation, bool bias) {
  check_sum_activation_backward(gradient, y, activation);
  return {empty_like(y, y.sym_sizes()),
          empty_like(y, {bias ? y.sym_size(-1) : c10::SymInt(0)}).to(type_of_bias_gradient(y))};
}

}  // namespace

Nonlinearity nonlinearity(std::string_view name) {
  constexpr std::string_view names[] = {"identity", "relu", "leaky_relu", "elu", "gelu", "tanh", "sigmoid"};
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (names[i] == name) return static_cast<Nonlinearity>(i);
  fail(Fault::argument, who,
       ": the activation must be identity, relu, leaky_relu, elu, gelu, tanh or sigmoid, got ", name);
}

Nonlinearity check_sum_activation(at::TensorList terms, const std::optional<at::Tensor>& bias,
                                  std::string_view activation) {
  GSAN_CHECK(!terms.empty(), who, ": at least one term is needed, got none");
  check_stored_signal(who, "the first term", terms[0], 2, "[..., simplices, channels]");
  for (const at::Tensor& term : terms.slice(1))
    check_companion(who, "a term", term, "the first term", terms[0], terms[0].sym_sizes());
  if (bias) {
    const bool wide = terms[0].scalar_type() == at::kBFloat16 && bias->scalar_type() == at::kFloat;
    GSAN_CHECK(bias->device() == terms[0].device(), who, ": bias is on ", bias->device(),
               " but the first term is on ", terms[0].device());
    check_companion(who, "bias", *bias, "the first term", wide ? *bias : terms[0], {terms[0].sym_size(-1)});
  }
  return nonlinearity(activation);
}

Nonlinearity check_sum_activation_backward(const at::Tensor& gradient, const at::Tensor& y,
                                           std::string_view activation) {
  check_stored_signal(who, "the result", y, 2, "[..., simplices, channels]");
  check_companion(who, "the gradient", gradient, "the result", y, y.sym_sizes());
  return nonlinearity(activation);
}

at::Tensor activated(Nonlinearity activation, const at::Tensor& x) {
  switch (activation) {
    case Nonlinearity::identity:
      return x;
    case Nonlinearity::relu:
      return at::relu(x);
    case Nonlinearity::leaky_relu:
      return at::leaky_relu(x, leaky_slope);
    case Nonlinearity::elu:
      return at::elu(x);
    case Nonlinearity::gelu:
      return at::gelu(x);
    case Nonlinearity::tanh:
      return at::tanh(x);
    case Nonlinearity::sigmoid:
      break;
  }
  return at::sigmoid(x);
}

at::Tensor activation_gradient(Nonlinearity activation, const at::Tensor& g, const at::Tensor& y) {
  switch (activation) {
    case Nonlinearity::relu:
      return at::threshold_backward(g, y, 0);
    case Nonlinearity::leaky_relu:
      return at::leaky_relu_backward(g, y, leaky_slope, /*self_is_result=*/true);
    case Nonlinearity::elu:
      return at::elu_backward(g, 1, 1, 1, /*is_result=*/true, y);
    case Nonlinearity::gelu:
      return at::gelu_backward(g, y);
    case Nonlinearity::tanh:
      return at::tanh_backward(g, y);
    case Nonlinearity::sigmoid:
      return at::sigmoid_backward(g, y);
    default:
      return g;
  }
}

at::Tensor sum_activation_call(at::TensorList terms, const std::optional<at::Tensor>& bias,
                               std::string_view activation) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::sum_activation", "").typed<Forward>();
  return op.call(terms, bias, activation);
}

at::Tensor sum_activation(at::TensorList terms, const at::Tensor& bias, std::string_view activation) {
  return sum_activation_call(terms, bias.defined() ? std::optional(bias) : std::nullopt, activation);
}

std::tuple<at::Tensor, at::Tensor> sum_activation_backward(const at::Tensor& gradient, const at::Tensor& y,
                                                           std::string_view activation, bool bias) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::sum_activation_backward", "").typed<Backward>();
  return op.call(gradient, y, activation, bias);
}

at::Tensor activation(const at::Tensor& x, std::string_view name) {
  const Nonlinearity chosen = nonlinearity(name);
  const bool is_choice =
      chosen == Nonlinearity::identity || chosen == Nonlinearity::relu || chosen == Nonlinearity::leaky_relu;
  const bool has_blocks = x.is_cpu() && (x.scalar_type() == at::kFloat || x.scalar_type() == at::kDouble);
  if (is_choice || !has_blocks || x._fw_grad(0).defined()) return activated(chosen, x);
  if (x.dim() < 2) return activation(x.unsqueeze(-1), name).squeeze(-1);
  return sum_activation({x}, {}, name);
}

TORCH_LIBRARY_FRAGMENT(gsan, m) {
  m.def("sum_activation(Tensor[] terms, Tensor? bias, str activation) -> Tensor");
  m.def("sum_activation_backward(Tensor gradient, Tensor y, str activation, bool bias) -> (Tensor, Tensor)");
}

TORCH_LIBRARY_IMPL(gsan, Meta, m) {
  m.impl("sum_activation", forward_meta);
  m.impl("sum_activation_backward", backward_meta);
}

}  // namespace gsan::ops
