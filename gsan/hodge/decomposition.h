#pragma once
// The Hodge decomposition of a signal on order k (spec 7),
//   x_k = B_kᵀ a + B_{k+1} b + h,   L_k h = 0,
// its gradient, curl and harmonic part, mutually orthogonal; and the Dirac decomposition of a
// whole signal into the images of the components D^(j) and the kernel of D. By an iterative
// solver (boundary_projector.h), in float64 inside, to a stated tolerance.

#include <memory>
#include <vector>

#include "gsan/hodge/operators.h"
#include "gsan/hodge/solve/boundary_projector.h"

namespace gsan {

/// For x [..., N_k, F]. Parts and potentials have the type, the device and the leading dimensions
/// of x; orders k − 1 and k + 1 that do not exist give empty potentials and parts of zeros.
/// A potential is one of many: only its image is determined.
struct HodgeDecomposition {
  Tensor gradient;            ///< B_kᵀ a
  Tensor curl;                ///< B_{k+1} b
  Tensor harmonic;            ///< x − gradient − curl: reconstruction is exact to rounding
  Tensor gradient_potential;  ///< a, [..., N_{k−1}, F]
  Tensor curl_potential;      ///< b, [..., N_{k+1}, F]
  Tensor gradient_energy;     ///< |gradient|² of each signal, float64 [..., F]; the three sum to |x|²
  Tensor curl_energy;
  Tensor harmonic_energy;
  Convergence gradient_convergence;
  Convergence curl_convergence;
};

/// The parts of a whole signal, order by order; an order without signal has undefined tensors.
/// Component j pairs what B_j carries: x^(j) = D^(j) y^(j), where x^(j) is the curl part on order
/// j − 1 with the gradient part on order j, y^(j) their potentials a on order j − 1 and b on order j.
/// x = Σ_j x^(j) + h, all summands mutually orthogonal.
struct DiracDecomposition {
  std::vector<HodgeDecomposition> orders;  ///< 0 … K

  Cochains component(int j) const;  ///< x^(j), 1 ≤ j ≤ K; undefined on the other orders
  Cochains potential(int j) const;  ///< y^(j)
  Cochains harmonic() const;        ///< h
};

/// Decomposes any number of signals on one complex; what a solve prepares (a multigrid hierarchy
/// for each B_j that it meets) is kept for the next. Safe to use from several threads.
class HodgeSolver {
 public:
  explicit HodgeSolver(const ComplexOperators& operators, SolverOptions options = {});
  ~HodgeSolver();

  /// x must be finite; NaN and infinity are errors that name the row and the column. Not
  /// differentiable. Fault::numeric, with iterations, residual and tolerance, when the solver does
  /// not converge.
  HodgeDecomposition hodge(int k, const Tensor& x) const;

  /// x holds one tensor for each order 0 … K, undefined where there is no signal.
  DiracDecomposition dirac(const Cochains& x) const;

  const SimplicialComplex& complex() const;
  const SolverOptions& options() const { return options_; }

 private:
  struct Projectors;
  const BoundaryProjector& projector(int j) const;
  SolverOptions options_;
  std::unique_ptr<Projectors> projectors_;
};

HodgeDecomposition hodge_decomposition(const ComplexOperators& operators, int k, const Tensor& x,
                                       const SolverOptions& options = {});
DiracDecomposition dirac_decomposition(const ComplexOperators& operators, const Cochains& x,
                                       const SolverOptions& options = {});

}  // namespace gsan
