#include "gsan/hodge/lanczos.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gsan/core/check.h"
#include "gsan/hodge/random_signal.h"

namespace gsan {

// Legend: V [rows, m] orthonormal basis, H = Vᵀ A V [m, m], θ and S the eigenpairs of H.
LargestEigenvalue largest_eigenvalue(const Shift& A, std::int64_t rows, const torch::TensorOptions& type,
                                     const LanczosOptions& options) {
  GSAN_CHECK(options.tolerance > 0 && options.basis >= 4 && options.max_products >= 1,
             "largest_eigenvalue: needs tolerance > 0, basis >= 4 and max_products >= 1, got ",
             options.tolerance, ", ", options.basis, " and ", options.max_products);
  LargestEigenvalue result;
  if (rows == 0) return result;
  const torch::NoGradGuard no_grad;
  const std::int64_t size = std::min<std::int64_t>(options.basis, rows);
  const std::int64_t kept = size / 3;
  const double rounding = type.dtype() == torch::kFloat32 ? std::numeric_limits<float>::epsilon()
                                                          : std::numeric_limits<double>::epsilon();

  Tensor V = torch::zeros({size, rows}, type);  // stored by rows: each vector is contiguous
  Tensor H = torch::zeros({size, size}, torch::kFloat64);
  Tensor next = random_signal(rows, 1, "lanczos", type).squeeze(-1);
  next = next / next.norm();
  std::int64_t m = 0;
  while (true) {
    V[m].copy_(next);
    const Tensor basis = V.narrow(0, 0, m + 1);
    Tensor w = A.apply(next.unsqueeze(-1)).squeeze(-1);
    ++result.products;
    Tensor h = basis.mv(w);
    w = w - basis.t().mv(h);
    const Tensor correction = basis.mv(w);  // twice is enough (Parlett, Kahan)
    w = w - basis.t().mv(correction);
    h = (h + correction).to(torch::kCPU, torch::kFloat64);
    H.select(1, m).narrow(0, 0, m + 1).copy_(h);
    H.select(0, m).narrow(0, 0, m + 1).copy_(h);
    const double beta = w.norm().item<double>();
    ++m;
    if (!std::isfinite(beta)) {
      fail(Fault::numeric, "largest_eigenvalue: product ", result.products,
           " is not finite; check the operator's scaling");
    }

    const auto [values, S] = at::linalg_eigh(H.narrow(0, 0, m).narrow(1, 0, m));  // increasing
    result.value = std::max(0.0, values[m - 1].item<double>());
    result.residual = beta * std::abs(S[m - 1][m - 1].item<double>());
    // An invariant space (β = 0) that a generic vector started holds every eigenvalue.
    const bool invariant = beta <= 8 * rounding * result.value || m == rows;
    if (invariant || result.residual <= options.tolerance * result.value) return result;
    if (result.products >= options.max_products) {
      fail(Fault::numeric, "largest_eigenvalue: not converged after ", result.products, " products: value ",
           result.value, " with residual ", result.residual, ", wanted ", options.tolerance,
           " relative; raise the tolerance or max_products");
    }
    next = w / beta;
    if (m == size) {
      // Keep the best Ritz vectors; their coupling to `next` reappears as the next column of H.
      const Tensor best = S.narrow(1, m - kept, kept).to(V.options());
      V.narrow(0, 0, kept).copy_(best.t().mm(V));
      H.zero_();
      H.diagonal().narrow(0, 0, kept).copy_(values.narrow(0, m - kept, kept));
      m = kept;
    }
  }
}

}  // namespace gsan
