#pragma once
// The attentional operator (spec 3): y_i = Σ_{j ∈ N_i} w_ij x_j with a weight per pair and head,
// in place of a Laplacian.

#include "gsan/hodge/neighborhood/neighborhood.h"
#include "gsan/hodge/shift.h"

namespace gsan {

class AttentionShift final : public Shift {
 public:
  /// weights [..., E, H]: α, already multiplied by signs and dropout mask.
  AttentionShift(Neighborhood neighborhood, Tensor weights);

  /// [..., N, H·F] → the same; feature block h is filtered by head h.
  Tensor apply(const Tensor& x) const override;

  const Tensor& weights() const { return weights_; }

 private:
  Neighborhood neighborhood_;
  Tensor weights_;
};

}  // namespace gsan
