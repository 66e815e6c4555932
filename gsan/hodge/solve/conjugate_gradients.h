#pragma once
// Flexible preconditioned conjugate gradients for A x = r, A positive semidefinite and r in
// its image, several columns at once; each column has its own steps and stops by itself.

#include <functional>

#include "gsan/hodge/solve/column_block.h"
#include "gsan/topology/complex.h"

namespace gsan {

struct LinearSystem {
  Index size = 0;
  std::function<Scalars(const double* p, double* q)> multiply;   // q = A p; returns p · q
  std::function<void(const double* r, double* z)> precondition;  // z = M(r), r · z ≥ 0
};

/// A column stops when |r| and the estimate of its energy error √((x − x*)ᵀ A (x − x*)) are at
/// most these.
struct SolveTargets {
  Scalars residual{};
  Scalars error{};
};

struct SolveReport {
  int iterations = 0;  ///< of the slowest column
  Scalars residual{};  ///< |r| as the recurrence has it
  Scalars error{};  ///< √(r · M(r) / μ), μ the smallest Ritz value of M A: the energy error if M were linear
                    ///< and μ its smallest non-zero eigenvalue, which Ritz values approach from above
};

/// x from 0; `r` holds the right-hand side and becomes the residual. A column that can make
/// no step any more (r · z or p · A p not positive) stops where it is.
SolveReport conjugate_gradients(const LinearSystem& system, int width, double* r, double* x,
                                const SolveTargets& targets, int max_iterations);

}  // namespace gsan
