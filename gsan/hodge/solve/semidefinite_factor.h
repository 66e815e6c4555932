#pragma once
// Dense L D Lᵀ of a small positive semidefinite matrix: the coarsest level of a hierarchy.

#include <vector>

#include "gsan/hodge/solve/pair_matrix.h"

namespace gsan {

/// A pivot that cancelled to rounding belongs to the kernel; its unknown is set to 0, so
/// that solve() applies a symmetric positive semidefinite generalised inverse.
class SemidefiniteFactor {
 public:
  SemidefiniteFactor() = default;
  explicit SemidefiniteFactor(const PairMatrix& matrix);

  /// A x = r for blocks [size, width], r in the image of A.
  void solve(const double* r, double* x, int width) const;

 private:
  Index size_ = 0;
  std::vector<double> factor_;  // [size, size]: L below the diagonal, 1 / D on it
};

}  // namespace gsan
