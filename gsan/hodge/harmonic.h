#pragma once
// The approximate projector on the harmonic signals of order k (spec 4),
//   Q̂_k = (I − ε_k L_k)^T,
// applied T times and never formed. As T grows it tends to the orthogonal projector on
// ker L_k, because every other eigenvalue of I − ε_k L_k has modulus below 1.

#include <optional>
#include <span>

#include "gsan/hodge/shift.h"

namespace gsan {

struct HarmonicOptions {
  int steps = 10;                 ///< T ≥ 0
  std::optional<double> epsilon;  ///< ε_k; 1/λ̄_k of each part when absent
};

class HarmonicProjector final : public Shift {
 public:
  /// ε_k = 1/λ̄_k belongs to each part of the operators by itself, so that no row depends on what
  /// else is in the batch. A part with λ̄_k = 0 has ε_k = 1.
  /// A given ε_k is accepted when 0 < ε_k ≤ 2/λ̄_k in every part; beyond that λ_max(L_k) is
  /// computed, and ε_k ≥ 2/λ_max is an error.
  HarmonicProjector(const ComplexOperators& operators, int k, const HarmonicOptions& options);

  /// `lower` is B_k, `upper` B_{k+1}, plain or scaled; `parts` the offsets of order k in a
  /// disjoint union (parts.h). Where the scaling is grouped ([..., N, H], incidence.h), every group and every
  /// leading dimension has its own ε_k. `part_offsets`: the offsets on the device, where they are at hand;
  /// rows behind the last one stay as they are.
  HarmonicProjector(const Incidence& lower, const Incidence& upper, const HarmonicOptions& options,
                    std::span<const Index> parts = {}, const Tensor& part_offsets = {});

  /// Q̂_k x, [..., N_k, F]. Differentiable in x and in the scalings, not in ε_k.
  Tensor apply(const Tensor& x) const override;

  const Tensor& epsilon() const { return epsilon_; }  ///< [P], one per part; [..., P, H] for grouped scalings
  /// ε_k of each row, [N_k, 1] without groups; [1, 1] where it was given.
  const Tensor& row_epsilon() const { return row_epsilon_; }
  int steps() const { return steps_; }

 private:
  LaplacianShift laplacian_;
  int steps_;
  Tensor epsilon_;
  Tensor row_epsilon_;  // [..., N_k, H], or [..., 1, H] for one part; H = 1 without groups
};

}  // namespace gsan
