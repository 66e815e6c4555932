#include "gsan/ops/laplacian_step.h"

#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/core/check.h"
#include "gsan/ops/detail/incidence_checks.h"
#include "gsan/ops/detail/laplacian_step_checks.h"
#include "gsan/ops/detail/operand_checks.h"

namespace gsan::ops {
namespace {

constexpr const char* who = "gsan::laplacian_step";

void check_row_factors(const char* name, const std::optional<at::Tensor>& factors, const at::Tensor& x) {
  if (!factors) return;
  GSAN_CHECK(factors->dim() == 1 && (factors->sym_size(0) == x.sym_size(-2) || factors->sym_size(0) == 1),
             who, ": ", name, " must have the shape [", x.sym_size(-2), "] or [1], got ",
             factors->sym_sizes());
  check_companion(who, name, *factors, "x", x, factors->sym_sizes());
  GSAN_CHECK(!factors->requires_grad(), who, ": ", name,
             " is a constant without gradient; detach it, or compose the step of products");
}

void check_side(const char* name, at::TensorList tables, const at::Tensor& x, bool boundary) {
  if (tables.empty()) return;
  GSAN_CHECK(tables.size() == 4, who, ": ", name,
             " must hold the four tables faces, offsets, cofaces and columns, or none, got ", tables.size());
  check_incidence(x, tables[0], tables[1], tables[2], tables[3], boundary);
}

at::Tensor step_meta(const at::Tensor& x, const std::optional<at::Tensor>& base, at::TensorList lower,
                     at::TensorList upper, double, double, const std::optional<at::Tensor>& row_alpha,
                     const std::optional<at::Tensor>& row_beta, std::int64_t steps, bool) {
  check_laplacian_step(x, base, lower, upper, row_alpha, row_beta, steps);
  return at::empty_symint(x.sym_sizes(), x.options().memory_format(std::nullopt));
}

std::optional<at::Tensor> if_defined(const at::Tensor& x) {
  return x.defined() ? std::optional(x) : std::nullopt;
}

}  // namespace

void check_laplacian_step(const at::Tensor& x, const std::optional<at::Tensor>& base, at::TensorList lower,
                          at::TensorList upper, const std::optional<at::Tensor>& row_alpha,
                          const std::optional<at::Tensor>& row_beta, std::int64_t steps) {
  check_signal(who, "x", x, 2, "[..., simplices, features]");
  if (base) check_companion(who, "base", *base, "x", x, x.sym_sizes());
  check_side("lower", lower, x, true);
  check_side("upper", upper, x, false);
  check_row_factors("row_alpha", row_alpha, x);
  check_row_factors("row_beta", row_beta, x);
  GSAN_CHECK(steps >= 0, who, ": the number of steps must not be negative, got ", steps);
}

at::Tensor laplacian_step_call(const at::Tensor& x, const std::optional<at::Tensor>& base,
                               at::TensorList lower, at::TensorList upper, double alpha, double beta,
                               const std::optional<at::Tensor>& row_alpha,
                               const std::optional<at::Tensor>& row_beta, std::int64_t steps, bool absolute) {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("gsan::laplacian_step", "")
                             .typed<LaplacianStepSignature>();
  return op.call(x, base, lower, upper, alpha, beta, row_alpha, row_beta, steps, absolute);
}

at::Tensor laplacian_step(const at::Tensor& x, const LaplacianStep& step, const at::Tensor& base) {
  return laplacian_step_call(x, if_defined(base), step.lower, step.upper, step.alpha, step.beta,
                             if_defined(step.row_alpha), if_defined(step.row_beta), step.steps,
                             step.absolute);
}

TORCH_LIBRARY_FRAGMENT(gsan, m) {
  m.def(
      "laplacian_step(Tensor x, Tensor? base, Tensor[] lower, Tensor[] upper, float alpha, float beta, "
      "Tensor? row_alpha=None, Tensor? row_beta=None, int steps=1, bool absolute=False) -> Tensor");
}

TORCH_LIBRARY_IMPL(gsan, Meta, m) { m.impl("laplacian_step", step_meta); }

}  // namespace gsan::ops
