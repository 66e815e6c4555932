#pragma once
// A sparse symmetric matrix with small signed entries: A = T Tᵀ for a signed incidence T,
// or its coarse versions in a multigrid hierarchy.

#include <cstdint>
#include <vector>

#include "gsan/hodge/solve/signed_lists.h"

namespace gsan {

/// Off-diagonal entries row by row, the diagonal apart. Sums of ±1 are integers, which
/// float holds exactly up to 2^24: what cancels, cancels to zero.
struct PairMatrix {
  std::vector<Offset> start = {0};  // [size + 1]
  std::vector<Index> column;
  std::vector<float> value;
  std::vector<double> diagonal;

  Index size() const { return static_cast<Index>(diagonal.size()); }
};

/// T Tᵀ, where `incidence` is T and `transposed` is Tᵀ. Entry (i, j) is the product of the
/// two signs in the one column of T that i and j share: two simplices have at most one
/// common face, and at most one common coface. A column of T with more than `cap` entries gives its
/// share of the diagonal only, so that at most `cap` entries per incidence are stored.
PairMatrix pair_matrix(const SignedLists& incidence, const SignedLists& transposed, Index cap);

/// The kernel of a signed graph Laplacian (A_ii ≥ Σ_j |A_ij|): one ±1 vector s for each
/// component where A_ii = Σ_j |A_ij| holds in every row and s_i s_j A_ij < 0 can be had for every
/// entry. The vectors have disjoint supports, so they are orthogonal.
struct GaugeKernel {
  static constexpr Index none = -1;
  std::vector<Index> vector_of;      // per row: the vector that it supports, or none
  std::vector<std::int8_t> sign;     // per row: ±1
  std::vector<double> squared_norm;  // per vector
};
GaugeKernel gauge_kernel(const PairMatrix& matrix);

}  // namespace gsan
