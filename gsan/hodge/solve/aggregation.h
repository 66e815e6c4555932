#pragma once
// Coarse unknowns for a signed symmetric matrix: groups of strongly coupled rows, each row
// with a sign, such that the error which smoothing leaves, e_i ≈ s_i c within a group, is
// given by one number c per group. The signs are a gauge: s_i s_j A_ij < 0 within a group
// makes the matrix look like a graph Laplacian there, whatever the orientations are.

#include <cstdint>
#include <vector>

#include "gsan/hodge/solve/pair_matrix.h"

namespace gsan {

/// The prolongation P[i, group[i]] = sign[i], by rows and by columns.
struct Aggregation {
  static constexpr Index none = -1;
  std::vector<Index> group;         // per row; none for a zero row
  std::vector<std::int8_t> sign;    // per row: ±1, 0 where there is no group
  std::vector<Offset> start = {0};  // [groups + 1] into members
  std::vector<Index> members;

  Index groups() const { return static_cast<Index>(start.size()) - 1; }
};

/// Groups grown greedily to `size` rows, from seeds in increasing order, each time by the
/// free row that is bound most tightly (its coupling to the group, over its own diagonal).
/// A row whose neighbours all belong to groups joins the one that binds it most tightly,
/// however large that is: the leaves of a hub join the hub.
Aggregation aggregate(const PairMatrix& matrix, int size);

/// Pᵀ A P. A row that cancels to zero is a kernel vector of A that was found: its diagonal
/// is exactly 0.
PairMatrix coarse_matrix(const PairMatrix& matrix, const Aggregation& aggregation);

}  // namespace gsan
