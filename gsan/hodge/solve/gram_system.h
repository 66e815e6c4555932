#pragma once
// Solves T Tᵀ x = r for a boundary operator or its transpose T.

#include <mutex>
#include <optional>
#include <vector>

#include "gsan/hodge/solve/conjugate_gradients.h"
#include "gsan/hodge/solve/multigrid.h"
#include "gsan/hodge/solve/reordered_lists.h"
#include "gsan/hodge/solve/signed_lists.h"

namespace gsan {

enum class Preconditioner { jacobi, multigrid };

/// Iterates in an order of its own (reordered_lists.h); everything it takes and gives is in
/// the order of T. Jacobi applies T Tᵀ through the lists, multigrid through the matrix of
/// pairs. Memory is linear in the incidences. The given lists must outlive the system.
class GramSystem {
 public:
  GramSystem(const SignedLists& T, const SignedLists& transposed, Preconditioner preconditioner);

  const SignedLists& T() const { return T_; }  // NOLINT(readability-identifier-naming): as in the equation
  const SignedLists& transposed() const { return transposed_; }

  /// Never below the largest eigenvalue: the largest row sum of |T| |Tᵀ|.
  double bound() const { return bound_; }

  /// As conjugate_gradients(), for r in the image of T.
  SolveReport solve(int width, const double* r, double* x, const SolveTargets& targets,
                    int max_iterations) const;

  /// Takes from x its part in ker Tᵀ. Only for multigrid, and only where every column of T has at
  /// most two entries: there the kernel is known exactly (gauge_kernel).
  void remove_kernel(int width, double* x) const;

 private:
  SignedLists T_, transposed_;
  double bound_ = 0;
  std::vector<Index> order_;             // row i of the iteration is row order_[i] of T
  std::optional<ReorderedLists> lists_;  // absent where the matrix of pairs is all of T Tᵀ
  std::optional<Multigrid> multigrid_;
  mutable std::once_flag kernel_once_;
  mutable GaugeKernel kernel_;  // in the order of the iteration
};

}  // namespace gsan
