#pragma once
// The operator of one order and side in a convolutional layer (spec 2), and what carries
// the signals of the neighbouring order there. Every kind is S = c L̃ + diag(d) with
// L̃ the lower or upper Laplacian of a scaled B (B̃ᵀB̃ or B̃B̃ᵀ).

#include "gsan/hodge/operators.h"
#include "gsan/hodge/shift.h"

namespace gsan {

/// Kinds of shift that depend on the complex alone. Of ComplexOperators::absolute() (spec 9) they are the
/// same expressions of |B|, but for `renormalized`.
enum class Normalization {
  none,        ///< L_k^d, L_k^u
  lambda_max,  ///< divided by λ_max(L_k) of each complex (where that is 0: by 1)
  centered,  ///< 2 L / λ_max(L_k) − I, whose eigenvalues lie in [−1, 1]: what Chebyshev polynomials take
  bunch,     ///< Bunch et al. 2020 after Schaub et al. 2020, symmetric form; see side_operator
  signed_adjacency,  ///< off-diagonal part: L_k^d − (k+1) I, L_k^u − diag(number of cofaces)
  renormalized,  ///< I − D̃^{−1/2} L D̃^{−1/2}, D̃ = diag(L) + I: Kipf's D̃^{−1/2}(A + I)D̃^{−1/2} for k = 0;
                 ///< of |B| that same form on every order, D̃^{−1/2}(L − diag(L) + I)D̃^{−1/2}
};

/// One side of order k. The lower side has B_k, the upper B_{k+1}. The two sides of an order have the same c.
struct SideOperator {
  Incidence shift;     ///< B̃ of the shift
  Incidence coupling;  ///< y_other = couplingᵀ x_{k−1} (lower) or coupling x_{k+1} (upper)
  double factor = 1;   ///< c
  Tensor diagonal;     ///< d, [N_k, 1], or undefined = 0
  /// Where B̃ is B times the root of one number per complex of a batch: these numbers, [N_k], so that S is
  /// c diag(part_factor) L + diag(d). Undefined otherwise.
  Tensor part_factor{};
};

/// `side` is lower or upper. `lowest` ≤ k ≤ `highest` are the smallest and largest order that carry signals:
/// the Bunch normalisation treats them apart (as its public implementations do). Scalings and diagonal
/// have the float type `type`, that of the signals. Computed in float64 once per complex.
///
/// bunch, with D2_k = max(|B_{k+1}| 1, 1), D1_k = (k+1) |B_k| D2_k, D3_k = 1/(k+2), D5_k = |B_k| 1 and + for
/// the pseudo-inverse of a diagonal:
///   lower, k < highest   S = D2^{1/2} B_kᵀ D1⁺ B_k D2^{1/2},  coupling D2 B_kᵀ D1⁺   (D1_k, D2_k)
///   lower, k = highest   S = B_kᵀ D5⁺ B_k,                    coupling B_kᵀ D5⁺
///   upper, k > 0         S = D2^{−1/2} B_{k+1} D3 B_{k+1}ᵀ D2^{−1/2}
///   upper, k = 0         the same with D3 = 1
///   upper coupling       B_{k+1} D3, for k = lowest D1_{k+1}⁺ B_{k+1}
/// The coupling of the other kinds is B itself. Order 0 has no lower side: there S is diag(d).
SideOperator side_operator(const ComplexOperators& operators, int k, Side side, Normalization kind,
                           int lowest, int highest, torch::ScalarType type);

/// S as a shift: of one side, or for Side::both of L̃^d + L̃^u with the sum of the diagonals. Without
/// diagonals the products of the two vanish for the kinds none, lambda_max and (k < highest) bunch, so
/// that powers of the sum are the sums of the powers of the sides.
LaplacianShift side_shift(const ComplexOperators& operators, int k, Side side, Normalization kind, int lowest,
                          int highest, torch::ScalarType type);

}  // namespace gsan
