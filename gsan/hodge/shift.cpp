#include "gsan/hodge/shift.h"

#include <cmath>
#include <utility>

#include "gsan/core/check.h"

namespace gsan {

LaplacianShift::LaplacianShift(const ComplexOperators& operators, int k, Side side, double factor,
                               Tensor diagonal)
    : LaplacianShift(operators.incidence(k), operators.incidence(k + 1), side, factor, std::move(diagonal)) {}

LaplacianShift::LaplacianShift(Incidence lower, Incidence upper, Side side, double factor, Tensor diagonal)
    : lower_(std::move(lower)),
      upper_(std::move(upper)),
      side_(side),
      factor_(factor),
      diagonal_(std::move(diagonal)) {
  GSAN_CHECK(lower_.columns() == upper_.rows() && lower_.order() + 1 == upper_.order(),
             "LaplacianShift: B_k and B_{k+1} must meet in the simplices of order k, got B_", lower_.order(),
             " with ", lower_.columns(), " columns and B_", upper_.order(), " with ", upper_.rows(), " rows");
  GSAN_CHECK(lower_.is_absolute() == upper_.is_absolute(),
             "LaplacianShift: B_k and B_{k+1} must both have signs or both be absolute, got B_",
             (lower_.is_absolute() ? lower_ : upper_).order(), " alone as |B|");
  GSAN_CHECK(std::isfinite(factor), "LaplacianShift: the factor must be finite, got ", factor);
  if (!diagonal_.defined()) return;
  GSAN_CHECK(diagonal_.dim() == 2 && diagonal_.size(0) == upper_.rows() && diagonal_.size(1) == 1,
             "LaplacianShift: the diagonal must have the shape [", upper_.rows(), ", 1], got ",
             diagonal_.sizes());
  GSAN_CHECK(diagonal_.is_floating_point(), "LaplacianShift: the diagonal must be a float tensor, got ",
             diagonal_.scalar_type());
  GSAN_CHECK(diagonal_.device() == lower_.device(), "LaplacianShift: the diagonal is on ", diagonal_.device(),
             " but the operators are on ", lower_.device());
}

Tensor Shift::apply_onto(const Tensor& base, const Tensor& x, double factor) const {
  return torch::add(base, apply(x), factor);
}

std::optional<ops::LaplacianStep> LaplacianShift::step(const Tensor& x, double factor) const {
  const bool plain =
      (side_ == Side::upper || lower_.is_plain()) && (side_ == Side::lower || upper_.is_plain());
  const bool learned = diagonal_.defined() && diagonal_.requires_grad();
  if (!plain || learned || !x.defined() || x.device() != lower_.device()) return {};
  ops::LaplacianStep step;
  step.absolute = (side_ == Side::upper ? upper_ : lower_).is_absolute();
  if (side_ != Side::upper) step.lower = lower_.tables();
  if (side_ != Side::lower) step.upper = upper_.tables();
  step.beta = factor * factor_;
  if (diagonal_.defined()) {
    step.alpha = factor;
    step.row_alpha = diagonal_.squeeze(-1).to(x.scalar_type());
  }
  return step;
}

Tensor LaplacianShift::apply_onto(const Tensor& base, const Tensor& x, double factor) const {
  const auto fused = step(x, factor);
  return fused ? ops::laplacian_step(x, *fused, base) : Shift::apply_onto(base, x, factor);
}

Tensor LaplacianShift::apply(const Tensor& x) const {
  if (const auto fused = step(x)) return ops::laplacian_step(x, *fused);
  Tensor y;
  if (side_ != Side::upper) y = lower_.coboundary(lower_.boundary(x));
  if (side_ != Side::lower) {
    const Tensor upper = upper_.boundary(upper_.coboundary(x));
    y = y.defined() ? y + upper : upper;
  }
  if (factor_ != 1) y = y * factor_;
  return diagonal_.defined() ? torch::addcmul(y, diagonal_.to(x.scalar_type()), x) : y;
}

}  // namespace gsan
