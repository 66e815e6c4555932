#include "gsan/ops/score_projection.h"

#include <torch/library.h>

#include "gsan/core/check.h"
#include "gsan/ops/detail/operand_checks.h"
#include "gsan/ops/detail/score_projection_checks.h"

namespace gsan::ops {
namespace {

using Projection = at::Tensor(const at::Tensor&, const at::Tensor&);
using Backward = at::Tensor(std::optional<at::Tensor>, const at::Tensor&, const at::Tensor&,
                            const at::Tensor&);

void check_parameters(const char* who, const at::Tensor& weight, const at::Tensor& a) {
  check_signal(who, "weight", weight, 4, "[inputs, taps, heads, features]");
  GSAN_CHECK(weight.dim() == 4, who, ": weight must have the shape [inputs, taps, heads, features], got ",
             weight.sym_sizes());
  check_companion(who, "a", a, "weight", weight,
                  std::vector<c10::SymInt>{weight.sym_size(2), 2 * weight.sym_size(1) * weight.sym_size(3)});
}

}  // namespace

void check_score_projection(const at::Tensor& weight, const at::Tensor& a) {
  check_parameters("gsan::score_projection", weight, a);
}

void check_score_projection_backward(const std::optional<at::Tensor>& of_weight, const at::Tensor& gradient,
                                     const at::Tensor& weight, const at::Tensor& a) {
  const char* who = "gsan::score_projection_backward_";
  check_parameters(who, weight, a);
  check_companion(who, "gradient", gradient, "weight", weight,
                  std::vector<c10::SymInt>{weight.sym_size(0), 2 * weight.sym_size(2)});
  if (!of_weight) return;
  check_companion(who, "of_weight", *of_weight, "weight", weight, weight.sym_sizes());
  GSAN_CHECK(of_weight->is_contiguous(), who, ": of_weight must be contiguous, got the strides ",
             of_weight->strides());
}

at::Tensor score_projection(const at::Tensor& weight, const at::Tensor& a) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::score_projection", "").typed<Projection>();
  return op.call(weight, a);
}

at::Tensor score_projection_backward(const at::Tensor& of_weight, const at::Tensor& gradient,
                                     const at::Tensor& weight, const at::Tensor& a) {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("gsan::score_projection_backward_", "")
                             .typed<Backward>();
  return op.call(of_weight.defined() ? std::optional(of_weight) : std::nullopt, gradient, weight, a);
}

TORCH_LIBRARY_FRAGMENT(gsan, m) {
  m.def("score_projection(Tensor weight, Tensor a) -> Tensor");
  m.def(
      "score_projection_backward_(Tensor(a!)? of_weight, Tensor gradient, Tensor weight, Tensor a) -> "
      "Tensor");
}

}  // namespace gsan::ops
