#pragma once
// Gauss–Seidel within blocks of consecutive rows, Jacobi between them: as parallel as there
// are blocks, the same for every number of threads. Each row's diagonal is raised by its
// absolute couplings to other blocks (ℓ1 smoothing: Baker, Falgout, Kolev, Yang, "Multigrid
// smoothers for ultraparallel computing", 2011), which makes one sweep contract the energy of
// every positive semidefinite A. A forward and a backward sweep are each other's transpose.

#include <vector>

#include "gsan/hodge/solve/aggregation.h"
#include "gsan/hodge/solve/column_block.h"

namespace gsan {

/// A matrix with its sweeps. x and r are blocks [size, width]; a zero row of A keeps x = 0.
class BlockGaussSeidel {
 public:
  explicit BlockGaussSeidel(PairMatrix matrix);

  const PairMatrix& matrix() const { return A_; }
  Index size() const { return A_.size(); }
  bool has_blocks() const { return A_.size() > block_; }

  /// y = A x; returns x · y.
  Scalars multiply(const double* x, double* y, int width) const;

  /// x = one forward sweep for A x = r from x = 0.
  void forward_from_zero(const double* r, double* x, int width) const;

  /// Pᵀ (r − A x) for the x that forward_from_zero(r, x) left; r itself is not needed.
  void restrict_residual(const Aggregation& P, const double* x, double* coarse, int width) const;

  /// One backward sweep for A x = r; `scratch` is as large as x where has_blocks().
  void backward(const double* r, double* x, double* scratch, int width) const;

 private:
  template <int W>
  void subtract(Offset begin, Offset end, const double* x, std::array<double, W>& sum) const;
  template <class F>
  void for_blocks(const F& f) const;  // f(first row, last row)

  PairMatrix A_;  // entries of a row: below the diagonal in the block, above it, outside the block
  std::vector<Index> below_;     // how many of a row are of the first kind
  std::vector<Index> inside_;    // … of the first two
  std::vector<double> outside_;  // Σ |entries of the third kind|
  std::vector<double> inverse_;  // 1 / (diagonal + outside), 0 for a zero row
  Index block_;
};

}  // namespace gsan
