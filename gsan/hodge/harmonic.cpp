#include "gsan/hodge/harmonic.h"

#include <cmath>
#include <functional>

#include "gsan/core/check.h"
#include "gsan/hodge/detail/feature_groups.h"
#include "gsan/hodge/parts.h"
#include "gsan/hodge/spectral/lambda.h"

namespace gsan {
namespace {

int checked_steps(int steps) {
  GSAN_CHECK(steps >= 0, "HarmonicProjector: the number of steps must not be negative, got ", steps);
  return steps;
}

void check_signs(const Incidence& B) {
  GSAN_CHECK(
      !B.is_absolute(),
      "HarmonicProjector: operators without signs (|B|, incidence: unsigned) have no harmonic part; choose "
      "harmonic=skip or none");
}

// λ_max, which costs more, is only asked for when λ̄ does not decide.
void check_epsilon(int k, double epsilon, const Tensor& bound, const std::function<Tensor()>& lambda_max) {
  GSAN_CHECK(epsilon > 0 && std::isfinite(epsilon), "HarmonicProjector: epsilon of order ", k,
             " must be positive and finite, got ", epsilon);
  const auto largest = [](const Tensor& x) { return x.numel() == 0 ? 0 : x.max().item<double>(); };
  const double largest_bound = largest(bound);
  if (epsilon <= 2 / largest_bound) return;
  const double eigenvalue = largest(lambda_max());
  GSAN_CHECK(epsilon < 2 / eigenvalue, "HarmonicProjector: epsilon of order ", k,
             " must lie below 2 / lambda_max = ", 2 / eigenvalue, ", got ", epsilon,
             " with lambda_max = ", eigenvalue, "; leave epsilon out to use 1 / ", largest_bound);
}

}  // namespace

HarmonicProjector::HarmonicProjector(const ComplexOperators& operators, int k, const HarmonicOptions& options)
    : laplacian_(operators, k, Side::both), steps_(checked_steps(options.steps)) {
  check_signs(operators.incidence(k));
  const Tensor& bound = operators.lambda_bound(k);
  if (options.epsilon) {
    check_epsilon(k, *options.epsilon, bound, [&] { return operators.lambda_max(k); });
    epsilon_ = torch::full_like(bound, *options.epsilon);
    row_epsilon_ = torch::full({1, 1}, *options.epsilon, bound.options());
    return;
  }
  epsilon_ = operators.derived<Tensor>({"harmonic_epsilon", {k}}, [&] { return inverse_bound(bound); });
  row_epsilon_ = operators.derived<Tensor>({"harmonic_row_epsilon", {k}}, [&] {
    return spread_over_rows(epsilon_, operators.part_offsets(k), operators.count(k));
  });
}

HarmonicProjector::HarmonicProjector(const Incidence& lower, const Incidence& upper,
                                     const HarmonicOptions& options, std::span<const Index> parts,
                                     const Tensor& part_offsets)
    : laplacian_(lower, upper, Side::both), steps_(checked_steps(options.steps)) {
  check_signs(lower);
  const std::int64_t rows = lower.columns();
  if (!part_offsets.defined()) check_parts("HarmonicProjector", parts, rows);
  const Tensor offsets =
      part_offsets.defined() ? part_offsets : gsan::part_offsets(parts, rows, lower.device());
  const Tensor bound = lambda_bound(lower, upper, offsets);
  if (options.epsilon) {
    check_epsilon(lower.order(), *options.epsilon, bound, [&] { return lambda_max(lower, upper, parts); });
    epsilon_ = torch::full_like(bound, *options.epsilon);
  } else {
    const torch::NoGradGuard no_grad;
    epsilon_ = inverse_bound(bound);
  }
  row_epsilon_ = spread_over_rows(epsilon_, offsets, rows);
}

Tensor HarmonicProjector::apply(const Tensor& x) const {
  const Tensor epsilon = row_epsilon_.to(x.scalar_type());
  if (auto step = laplacian_.step(x)) {  // x − ε L x, all steps at once
    step->alpha = 1;
    step->beta = -1;
    step->row_beta = epsilon.squeeze(-1);
    step->steps = steps_;
    return ops::laplacian_step(x, *step);
  }
  Tensor y = x;
  for (int step = 0; step < steps_; ++step)
    y = y - scale_features("HarmonicProjector::apply", laplacian_.apply(y), epsilon);
  return y;
}

}  // namespace gsan
