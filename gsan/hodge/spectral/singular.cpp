#include "gsan/hodge/spectral/singular.h"

#include <algorithm>
#include <limits>

#include "gsan/core/check.h"
#include "gsan/core/long_work.h"
#include "gsan/hodge/detail/operand_type.h"
#include "gsan/hodge/spectral/detail/chebyshev.h"

namespace gsan {
namespace {

// Any rank(B) columns that each bring a row not met before are independent, and a column meets
// only j + 1 rows: rank B_j ≥ (rows with a coface) / (j + 1).
std::int64_t rank_lower_bound(const Incidence& B) {
  const std::int64_t met = B.coface_offsets().diff().ne(0).sum().item<std::int64_t>();
  return met / (B.order() + 1);
}

SingularSpectrum all_singular_triplets(const Incidence& B, const SpectrumOptions& options) {
  const std::int64_t small = std::min(B.rows(), B.columns());
  const std::int64_t large = std::max(B.rows(), B.columns());
  // The matrix, its copy, the larger factor, and the work space of LAPACK's gesdd.
  const double bytes = 8.0 * static_cast<double>(small) *
                       (4.0 * static_cast<double>(large) + 8.0 * static_cast<double>(small));
  if (bytes > static_cast<double>(options.max_memory)) {
    fail(Fault::resource, "singular_spectrum: all singular values of B_", B.order(), ", ", B.rows(), " x ",
         B.columns(), ", need about ", static_cast<std::int64_t>(bytes / 0x1p20),
         " MiB, more than max_memory = ", options.max_memory >> 20,
         " MiB; ask for `count` of them, or raise max_memory");
  }
  const LongWork work(concat("all singular values of B_", B.order()));
  const auto type = operand_type(B);
  // [large, small]: B or Bᵀ applied to the smaller identity.
  const bool transposed = B.rows() <= B.columns();
  const Tensor identity = torch::eye(small, type);
  const Tensor matrix = transposed ? B.coboundary(identity) : B.boundary(identity);
  if (!matrix.isfinite().all().item<bool>()) {
    fail(Fault::numeric, "singular_spectrum: B_", B.order(),
         " has entries that are not finite; check its scaling");
  }
  const auto [P, sigma, Qt] = at::linalg_svd(matrix, /*full_matrices=*/false);  // σ decreases
  const double largest = small == 0 ? 0 : sigma[0].item<double>();
  const double epsilon = type.dtype() == torch::kFloat32 ? std::numeric_limits<float>::epsilon()
                                                         : std::numeric_limits<double>::epsilon();
  const std::int64_t rank =
      (sigma > static_cast<double>(large) * epsilon * largest).sum().item<std::int64_t>();

  const auto take = [&](const Tensor& t, std::int64_t dim) {
    return t.narrow(dim, 0, rank).flip(dim).contiguous();
  };
  const Tensor wide = take(P, 1), narrow = take(Qt, 0).t().contiguous();
  return {take(sigma, 0), transposed ? narrow : wide, transposed ? wide : narrow};
}

SingularSpectrum extreme_of(const SingularSpectrum& all, std::int64_t count, SpectrumEnd end) {
  count = std::min(count, all.count());
  const std::int64_t first = end == SpectrumEnd::smallest ? 0 : all.count() - count;
  const auto take = [&](const Tensor& t, std::int64_t dim) {
    return t.narrow(dim, first, count).contiguous();
  };
  return {take(all.values, 0), take(all.left, 1), take(all.right, 1)};
}

}  // namespace

SingularSpectrum singular_spectrum(const Incidence& B, const SpectrumOptions& options) {
  GSAN_CHECK(!options.count || *options.count >= 0, "singular_spectrum: count must not be negative, got ",
             *options.count);
  GSAN_CHECK(options.tolerance > 0, "singular_spectrum: the tolerance must be positive, got ",
             options.tolerance);
  const torch::NoGradGuard no_grad;
  if (options.count == 0) {
    const auto type = operand_type(B);
    return {torch::zeros({0}, type), torch::zeros({B.rows(), 0}, type), torch::zeros({B.columns(), 0}, type)};
  }
  if (!options.count) return all_singular_triplets(B, options);
  const std::int64_t block = chebyshev_block(*options.count);
  // Iterate only when the block is known to fit into the rank, and pays.
  if (block <= rank_lower_bound(B) && 4 * block <= std::min(B.rows(), B.columns())) {
    return extreme_singular_triplets(B, options);
  }
  return extreme_of(all_singular_triplets(B, options), *options.count, options.end);
}

}  // namespace gsan
