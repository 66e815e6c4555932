#include "gsan/hodge/spectral/singular.h"

#include <algorithm>
#include <limits>

#include "gsan/core/check.h"
#include "gsan/core/long_work.h"
#include "gsan/hodge/detail/operand_type.h"
#include "gsan/hodge/spectral/detail/chebyshev.h"
#include "gsan/hodge/spectral/detail/gram.h"

namespace gsan {
namespace {

// Any rank(B) columns that each bring a row not met before are independent, and a column meets
// only j + 1 rows: rank B_j ≥ (rows with a coface) / (j + 1).
std::int64_t rank_lower_bound(const Incidence& B) {
  const std::int64_t met = B.coface_offsets().diff().ne(0).sum().item<std::int64_t>();
  return met / (B.order() + 1);
}

// The matrix, its copy, the larger factor, and the work space of LAPACK's gesdd.
double dense_bytes(const Incidence& B) {
  const auto small = static_cast<double>(std::min(B.rows(), B.columns()));
  return 8.0 * small * (4.0 * static_cast<double>(std::max(B.rows(), B.columns())) + 8.0 * small);
}

SingularSpectrum all_singular_triplets(const Incidence& B, const SpectrumOptions& options) {
  const std::int64_t small = std::min(B.rows(), B.columns());
  const std::int64_t large = std::max(B.rows(), B.columns());
  const double bytes = dense_bytes(B);
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

// Products of a block that take about the time of a dense decomposition of the Gram matrix.
std::int64_t products_worth_a_gram(const Incidence& B, std::int64_t block) {
  const auto size = static_cast<double>(std::min(B.rows(), B.columns()));
  const double entries = static_cast<double>((B.order() + 1) * B.columns()) * static_cast<double>(block);
  return 20 + static_cast<std::int64_t>(0.01 * size * size * size / entries);
}

SingularSpectrum partial_spectrum(const Incidence& B, const SpectrumOptions& options) {
  const std::int64_t block = chebyshev_block(*options.count);
  const bool may_be_dense = has_gram(B, options);
  // Iterate only when the block is known to fit into the rank, and pays.
  if (block <= rank_lower_bound(B) && 4 * block <= std::min(B.rows(), B.columns())) {
    const std::int64_t worth = products_worth_a_gram(B, block);
    if (!may_be_dense || options.max_products <= worth) return extreme_singular_triplets(B, options);
    if (auto found = extreme_singular_triplets(B, options, worth)) return *std::move(found);
    return gram_singular_triplets(B, options);
  }
  constexpr double little = 0x1p28;  // bytes: so far the decomposition of B itself is quick, and more exact
  if (may_be_dense && dense_bytes(B) > little) return gram_singular_triplets(B, options);
  return extreme_of(all_singular_triplets(B, options), *options.count, options.end);
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
  SingularSpectrum found = partial_spectrum(B, options);
  if (!options.vectors)
    for (Tensor* vectors : {&found.left, &found.right}) *vectors = vectors->narrow(1, 0, 0);
  return found;
}

}  // namespace gsan
