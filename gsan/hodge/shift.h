#pragma once
// Shifts: the linear operators of which filters are polynomials.

#include "gsan/hodge/operators.h"

namespace gsan {

/// A linear operator on the signals of one order, applied and never stored.
class Shift {
 public:
  virtual ~Shift() = default;
  virtual Tensor apply(const Tensor& x) const = 0;  ///< [..., N, F] → [..., N, F]
};

/// Over which simplices a shift of order k reaches its neighbours.
enum class Side {
  lower,  ///< through common faces
  upper,  ///< through common cofaces
  both,
};

/// c L_k^d, c L_k^u or c L_k (SPEC 1), with B_k and B_{k+1} plain or scaled; c is a plain
/// factor such as 1/λ_max. Differentiable in x and in the scalings of the operators.
class LaplacianShift final : public Shift {
 public:
  LaplacianShift(const ComplexOperators& operators, int k, Side side, double factor = 1);

  /// `lower` is B_k and `upper` B_{k+1}: the columns of the one are the rows of the other.
  LaplacianShift(Incidence lower, Incidence upper, Side side, double factor = 1);

  Tensor apply(const Tensor& x) const override;

 private:
  Incidence lower_, upper_;
  Side side_;
  double factor_;
};

}  // namespace gsan
