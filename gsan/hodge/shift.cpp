#include "gsan/hodge/shift.h"

#include <cmath>
#include <utility>

#include "gsan/core/check.h"

namespace gsan {

LaplacianShift::LaplacianShift(const ComplexOperators& operators, int k, Side side, double factor)
    : LaplacianShift(operators.incidence(k), operators.incidence(k + 1), side, factor) {}

LaplacianShift::LaplacianShift(Incidence lower, Incidence upper, Side side, double factor)
    : lower_(std::move(lower)), upper_(std::move(upper)), side_(side), factor_(factor) {
  GSAN_CHECK(lower_.columns() == upper_.rows() && lower_.order() + 1 == upper_.order(),
             "LaplacianShift: B_k and B_{k+1} must meet in the simplices of order k, got B_", lower_.order(),
             " with ", lower_.columns(), " columns and B_", upper_.order(), " with ", upper_.rows(), " rows");
  GSAN_CHECK(std::isfinite(factor), "LaplacianShift: the factor must be finite, got ", factor);
}

Tensor LaplacianShift::apply(const Tensor& x) const {
  Tensor y;
  if (side_ != Side::upper) y = lower_.coboundary(lower_.boundary(x));
  if (side_ != Side::lower) {
    const Tensor upper = upper_.boundary(upper_.coboundary(x));
    y = y.defined() ? y + upper : upper;
  }
  return factor_ == 1 ? y : y * factor_;
}

}  // namespace gsan
