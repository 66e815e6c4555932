#pragma once
// The largest eigenvalue of a symmetric operator by Lanczos with full
// reorthogonalisation and thick restarts (Wu and Simon, 2000): the basis stays small,
// the best Ritz vectors survive each restart.

#include "gsan/hodge/shift.h"

namespace gsan {

struct LanczosOptions {
  double tolerance = 1e-5;  ///< stop at |A x − θ x| ≤ tolerance · θ, |x| = 1
  int polish = 96;  ///< … but continue to the rounding of θ while at most so many products are spent
  int basis = 32;   ///< vectors kept: memory is basis · rows numbers
  int max_products = 20000;
};

/// λ_max lies in [value, …): value is the Rayleigh quotient of a unit vector, so it never
/// exceeds λ_max (up to rounding), and some eigenvalue lies within `residual` of it.
struct LargestEigenvalue {
  double value = 0;
  double residual = 0;
  int products = 0;
};

/// A is symmetric and positive semidefinite on [rows, 1] signals; `type` gives the device
/// and float type to work in. The start vector is random but always the same, so it meets every
/// eigenspace, whatever the multiplicities. No rows: 0. Fault::numeric at max_products.
LargestEigenvalue largest_eigenvalue(const Shift& A, std::int64_t rows, const torch::TensorOptions& type,
                                     const LanczosOptions& options = {});

/// The same of many operators at once, one row of numbers per operator: [..., P, H] float64 on the CPU.
struct LargestEigenvalues {
  Tensor values;
  Tensor residuals;
  int products = 0;
};

/// A acts on signals of the shape `sizes` = [..., rows, H], by itself in every part of the rows (parts.h)
/// and in every column and leading dimension: ... · P · H operators, of which each is iterated
/// and stopped as if it were alone. A part without rows gets 0.
LargestEigenvalues largest_eigenvalues(const Shift& A, at::IntArrayRef sizes, std::span<const Index> parts,
                                       const torch::TensorOptions& type, const LanczosOptions& options = {});

}  // namespace gsan
