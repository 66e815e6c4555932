#pragma once
// The largest eigenvalue of a symmetric operator by Lanczos with full
// reorthogonalisation and thick restarts (Wu and Simon, 2000): the basis stays small,
// the best Ritz vectors survive each restart.

#include "gsan/hodge/shift.h"

namespace gsan {

struct LanczosOptions {
  double tolerance = 1e-5;  ///< stop at |A x − θ x| ≤ tolerance · θ, |x| = 1
  int basis = 32;           ///< vectors kept: memory is basis · rows numbers
  int max_products = 20000;
};

/// λ_max lies in [value, …): value is the Rayleigh quotient of a unit vector, so it never
/// exceeds λ_max (up to rounding), and some eigenvalue lies within `residual` of it.
struct LargestEigenvalue {
  double value = 0;
  double residual = 0;
  int products = 0;
};

/// A is symmetric and positive semidefinite on [rows, 1] signals; `options` give the device
/// and float type to work in. The start vector is random but always the same, so it meets every
/// eigenspace, whatever the multiplicities. No rows: 0. Fault::numeric at max_products.
LargestEigenvalue largest_eigenvalue(const Shift& A, std::int64_t rows, const torch::TensorOptions& type,
                                     const LanczosOptions& options = {});

}  // namespace gsan
