#pragma once
// A Laplacian over the bound of its largest eigenvalue: powers that neither grow nor leave a float.

#include <span>

#include "gsan/hodge/shift.h"

namespace gsan {

/// S = L/λ̄ with L = L_k^d, L_k^u or L_k of scaled B_k (`lower`) and B_{k+1} (`upper`), and λ̄ the certified
/// bound of L_k (spectral/lambda.h): one number per part, group of features and leading dimension, which is
/// not differentiated. Where λ̄ is 0, S is 0 as L is.
class BoundedShift final : public Shift {
 public:
  BoundedShift(const Incidence& lower, const Incidence& upper, Side side, std::span<const Index> parts);
  /// The same with the offsets of the parts on the device; rows behind the last one have S = 0.
  BoundedShift(const Incidence& lower, const Incidence& upper, Side side, const Tensor& part_offsets);

  Tensor apply(const Tensor& x) const override;

 private:
  LaplacianShift laplacian_;
  Tensor row_factor_;  // 1/λ̄, [..., N, H]
};

}  // namespace gsan
