#include "gsan/hodge/spectral/detail/gram.h"

#include <algorithm>
#include <limits>

#include "gsan/core/check.h"
#include "gsan/core/long_work.h"

namespace gsan {
namespace {

std::int64_t shorter_side(const Incidence& B) { return std::min(B.rows(), B.columns()); }

// The matrix, the copy that LAPACK works on, and the two of its divide and conquer.
double gram_bytes(const Incidence& B) {
  const auto size = static_cast<double>(shorter_side(B));
  return 8.0 * 4 * size * size;
}

// Adds the products of the entries of one row or column of B, `numbers` with signs by `place`.
template <class SignOf>
void add_products(const std::int32_t* numbers, std::int64_t count, std::int64_t size, const SignOf& sign,
                  double* matrix) {
  for (std::int64_t a = 0; a < count; ++a)
    for (std::int64_t b = 0; b < count; ++b) matrix[numbers[a] * size + numbers[b]] += sign(a) * sign(b);
}

// B Bᵀ from the columns of B, or Bᵀ B from its rows; exact.
Tensor gram_matrix(const Incidence& B) {
  const std::int64_t size = shorter_side(B);
  Tensor matrix = torch::zeros({size, size}, torch::kFloat64);
  double* to = matrix.mutable_data_ptr<double>();
  const auto sign_of = [&](int place) { return B.is_absolute() ? 1 : face_sign(place); };
  if (B.rows() <= B.columns()) {
    const Tensor faces = B.faces().cpu().contiguous();
    const auto* face = faces.const_data_ptr<std::int32_t>();
    const std::int64_t width = faces.size(1);
    for (std::int64_t c = 0; c < B.columns(); ++c)
      add_products(
          face + c * width, width, size, [&](std::int64_t a) { return sign_of(static_cast<int>(a)); }, to);
    return matrix;
  }
  const Tensor offsets = B.coface_offsets().cpu().contiguous(), cofaces = B.cofaces().cpu().contiguous(),
               places = B.coface_columns().cpu().contiguous();
  const auto* offset = offsets.const_data_ptr<std::int64_t>();
  for (std::int64_t r = 0; r < B.rows(); ++r) {
    const auto* place = places.const_data_ptr<std::uint8_t>() + offset[r];
    add_products(
        cofaces.const_data_ptr<std::int32_t>() + offset[r], offset[r + 1] - offset[r], size,
        [&](std::int64_t a) { return sign_of(place[a]); }, to);
  }
  return matrix;
}

}  // namespace

bool has_gram(const Incidence& B, const SpectrumOptions& options) {
  return B.is_plain() && shorter_side(B) <= largest_gram &&
         gram_bytes(B) <= static_cast<double>(options.max_memory);
}

SingularSpectrum gram_singular_triplets(const Incidence& B, const SpectrumOptions& options) {
  GSAN_CHECK(has_gram(B, options) && options.count, "gram_singular_triplets: needs a plain B_", B.order(),
             " with a side of at most ", largest_gram, ", and a count; got ", B.rows(), " x ", B.columns());
  const LongWork work(concat("singular values of B_", B.order(), " by a dense decomposition"));
  const std::int64_t size = shorter_side(B);
  const auto type = torch::TensorOptions(torch::kFloat64).device(B.device());
  const Tensor matrix = gram_matrix(B);
  Tensor theta, vectors;  // increasing
  if (options.vectors)
    std::tie(theta, vectors) = at::linalg_eigh(matrix);
  else
    theta = at::linalg_eigvalsh(matrix);
  const double largest = size == 0 ? 0 : theta[size - 1].item<double>();
  const double zero = static_cast<double>(size) * std::numeric_limits<double>::epsilon() * largest;
  const std::int64_t rank = (theta > zero).sum().item<std::int64_t>();
  const std::int64_t count = std::min(*options.count, rank);
  const std::int64_t first = options.end == SpectrumEnd::smallest ? size - rank : size - count;
  if (!options.vectors)
    return {theta.narrow(0, first, count).sqrt().to(type), torch::zeros({B.rows(), 0}, type),
            torch::zeros({B.columns(), 0}, type)};
  // The squares have lost digits of the smallest ones: once more on the space that they span.
  const bool by_rows = B.rows() <= B.columns();
  const Tensor chosen = vectors.narrow(1, first, count).to(B.device());
  const Tensor longer = std::get<0>(at::linalg_qr(by_rows ? B.coboundary(chosen) : B.boundary(chosen)));
  const auto [P, sigma, Zt] =
      at::linalg_svd(by_rows ? B.boundary(longer) : B.coboundary(longer), /*full_matrices=*/false);
  const Tensor left = P.flip(1).contiguous(), right = longer.mm(Zt.t().flip(1));  // σ increases
  return {sigma.flip(0).contiguous(), by_rows ? left : right, by_rows ? right : left};
}

}  // namespace gsan
