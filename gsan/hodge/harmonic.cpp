#include "gsan/hodge/harmonic.h"

#include <cmath>

#include "gsan/core/check.h"
#include "gsan/hodge/lambda.h"
#include "gsan/hodge/parts.h"

namespace gsan {
namespace {

// ε per part [P], from λ̄ per part [P].
Tensor choose_epsilon(const Incidence& lower, const Incidence& upper, const std::optional<double>& given,
                      const Tensor& bound) {
  if (!given) return torch::where(bound > 0, bound.reciprocal(), torch::ones_like(bound));
  GSAN_CHECK(*given > 0 && std::isfinite(*given), "HarmonicProjector: epsilon of order ", lower.order(),
             " must be positive and finite, got ", *given);
  const double largest_bound = bound.numel() == 0 ? 0 : bound.max().item<double>();
  if (*given > 2 / largest_bound) {
    const double largest = lambda_max(lower, upper);
    GSAN_CHECK(*given < 2 / largest, "HarmonicProjector: epsilon of order ", lower.order(),
               " must lie below 2 / lambda_max = ", 2 / largest, ", got ", *given,
               " with lambda_max = ", largest, "; leave epsilon out to use 1 / ", largest_bound);
  }
  return torch::full_like(bound, *given);
}

}  // namespace

HarmonicProjector::HarmonicProjector(const Incidence& lower, const Incidence& upper,
                                     const HarmonicOptions& options, std::span<const Index> parts)
    : laplacian_(lower, upper, Side::both), steps_(options.steps) {
  GSAN_CHECK(options.steps >= 0, "HarmonicProjector: the number of steps must not be negative, got ",
             options.steps);
  epsilon_ = choose_epsilon(lower, upper, options.epsilon, lambda_bound(lower, upper, parts));
  row_epsilon_ = spread_over_rows(epsilon_, part_of_row(parts, lower.device()));
}

HarmonicProjector::HarmonicProjector(const ComplexOperators& operators, int k, const HarmonicOptions& options,
                                     std::span<const Index> parts)
    : HarmonicProjector(operators.incidence(k), operators.incidence(k + 1), options, parts) {}

Tensor HarmonicProjector::apply(const Tensor& x) const {
  const Tensor epsilon = row_epsilon_.to(x.scalar_type());
  Tensor y = x;
  for (int step = 0; step < steps_; ++step) y = y - epsilon * laplacian_.apply(y);
  return y;
}

}  // namespace gsan
