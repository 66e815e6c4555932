#pragma once
// The two orthogonal projections that belong to a boundary operator B_j: of signals on
// order j onto im B_jᵀ (gradients), of signals on order j − 1 onto im B_j (curls).

#include <memory>

#include "gsan/hodge/solve/gram_system.h"
#include "gsan/topology/complex.h"

namespace gsan {

struct SolverOptions {
  double tolerance = 1e-8;     ///< 0 < tolerance < 1; see Convergence
  int max_iterations = 20000;  ///< conjugate gradient steps of one projection, ≥ 1

  void validate() const;  ///< reports every fault at once
};

/// What a projection reached, over its worst column. `residual` is computed from the result, not
/// from the recurrence, and is at most the tolerance unless rounding forbids (it is then that of
/// a backward stable solution):
///   direct   |T (x − part)| / |T x|, T = B_j or B_jᵀ: what is left to project
///   inverse  |x' − part| / |x|, x' = x less its part in the known kernel: the error of the part itself
/// `error` is |part − exact part| / |x|: an estimate (conjugate_gradients.h) in the direct
/// form, equal to the residual in the inverse form; it, too, is at most the tolerance.
/// The part lies in the image to rounding, so gradients and curls are orthogonal to rounding.
struct Convergence {
  int iterations = 0;
  double residual = 0;
  double error = 0;
};

/// How: with T = B_j (gradients) or T = B_jᵀ (curls), the part of x is Tᵀ a with T Tᵀ a = T x, a
/// consistent singular system (direct form). Where the other product Tᵀ T is a graph Laplacian
/// up to signs, whose kernel is known, it is solved instead: Tᵀ T c = x less the kernel,
/// a = T c, part Tᵀ a (inverse form). So one multigrid hierarchy serves both projections:
///   j = 1      B_1 B_1ᵀ, the graph Laplacian
///   j > 1      B_jᵀ B_j when at least half of the incidences lie in (j − 1)-simplices with
///              at most two cofaces (meshes of manifolds, whose dual is a graph; other stars are
///              tolerated, then only in the direct form)
/// Otherwise no product is near a graph Laplacian, aggregation gains nothing, and the
/// conjugate gradients are preconditioned by the diagonal (Jacobi).
class BoundaryProjector {
 public:
  /// 1 ≤ j ≤ order.
  BoundaryProjector(SimplicialComplex complex, int j);
  ~BoundaryProjector();

  /// part [N_j, F] = B_jᵀ potential, potential [N_{j−1}, F], for x [N_j, F], row-major and finite.
  /// Fault::numeric when max_iterations do not reach the tolerance.
  Convergence gradients(const double* x, std::int64_t columns, double* part, double* potential,
                        const SolverOptions& options) const;

  /// part [N_{j−1}, F] = B_j potential, potential [N_j, F], for x [N_{j−1}, F].
  Convergence curls(const double* x, std::int64_t columns, double* part, double* potential,
                    const SolverOptions& options) const;

  Preconditioner gradient_preconditioner() const;
  Preconditioner curl_preconditioner() const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace gsan
