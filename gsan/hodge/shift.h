#pragma once
// Shifts: the linear operators of which filters are polynomials.

#include <optional>

#include "gsan/hodge/operators.h"
#include "gsan/hodge/side.h"
#include "gsan/ops/laplacian_step.h"

namespace gsan {

/// A linear operator on the signals of one order, applied and never stored.
class Shift {
 public:
  virtual ~Shift() = default;
  virtual Tensor apply(const Tensor& x) const = 0;  ///< S x, [..., N, F] → [..., N, F]

  /// base + factor S x.
  virtual Tensor apply_onto(const Tensor& base, const Tensor& x, double factor = 1) const;
};

/// c L + diag(d) with L = L_k^d, L_k^u or L_k (spec 1) of plain or scaled B_k and B_{k+1}; c is a plain
/// factor such as 1/λ_max. Differentiable in x, in d and in the scalings of the operators.
class LaplacianShift final : public Shift {
 public:
  LaplacianShift(const ComplexOperators& operators, int k, Side side, double factor = 1,
                 Tensor diagonal = {});

  /// `lower` is B_k and `upper` B_{k+1}: the columns of the one are the rows of the other.
  /// `diagonal` d is [N_k, 1] of any float type, or undefined = 0.
  LaplacianShift(Incidence lower, Incidence upper, Side side, double factor = 1, Tensor diagonal = {});

  Tensor apply(const Tensor& x) const override;
  Tensor apply_onto(const Tensor& base, const Tensor& x, double factor = 1) const override;

  /// factor S as one op for signals like x; nothing where it takes several (scaled or re-oriented B, a
  /// diagonal with gradient).
  std::optional<ops::LaplacianStep> step(const Tensor& x, double factor = 1) const;

 private:
  Incidence lower_, upper_;
  Side side_;
  double factor_;
  Tensor diagonal_;
};

}  // namespace gsan
