#include "gsan/hodge/spectral/detail/lanczos.h"

#include <algorithm>
#include <limits>

#include "gsan/core/check.h"
#include "gsan/core/long_work.h"
#include "gsan/hodge/parts.h"
#include "gsan/hodge/solve/random_signal.h"
#include "gsan/ops/segments.h"

namespace gsan {
namespace {

constexpr std::int64_t steps_per_check = 4;  // a Ritz problem costs more than a product on a small part

// The signals [..., rows, H] as vectors of many independent spaces: one per leading index, part
// and column. Numbers per space have the shape [..., P, H].
class Spaces {
 public:
  Spaces(at::IntArrayRef sizes, std::span<const Index> parts, const torch::TensorOptions& type)
      : sizes_(sizes.vec()),
        type_(type),
        parts_(count_parts(parts)),
        offsets_(part_offsets(parts, rows(), torch::kCPU)),
        device_offsets_(offsets_.to(type.device())),
        one_(parts_ == 1 && c10::multiply_integers(sizes) == rows()) {}

  std::int64_t rows() const { return sizes_[sizes_.size() - 2]; }
  std::vector<std::int64_t> numbers() const {  // the shape of one number per space
    std::vector<std::int64_t> shape = sizes_;
    shape[shape.size() - 2] = parts_;
    return shape;
  }
  Tensor dimensions() const { return offsets_.diff().unsqueeze(-1).expand(numbers()); }  // of each space

  // The same numbers in every space, determined by the row within the part.
  Tensor start() const {
    const std::int64_t longest = parts_ == 0 ? 0 : offsets_.diff().max().item<std::int64_t>();
    const Tensor x = random_signal(longest, 1, "lanczos", type_);
    if (parts_ == 1) return x.expand(sizes_);
    const Tensor first = torch::repeat_interleave(offsets_.narrow(0, 0, parts_), offsets_.diff());
    const Tensor local = torch::arange(rows(), torch::kInt64) - first;
    return x.index_select(0, local.to(x.device())).expand(sizes_);
  }

  // ⟨V_i, w⟩ in each space: V [m, ..., rows, H], w [..., rows, H] → [m, ..., P, H].
  Tensor dot(const Tensor& V, const Tensor& w) const {
    if (!one_) return ops::segment_sum(V * w, device_offsets_);
    std::vector<std::int64_t> shape = numbers();
    shape.insert(shape.begin(), V.size(0));
    return V.flatten(1).mv(w.flatten()).view(shape);
  }

  // Σ_i V_i c_i in each space: c [m, ..., P, H] → [..., rows, H].
  Tensor combine(const Tensor& V, const Tensor& c) const {
    if (!one_) return (V * spread(c)).sum(0);
    return V.flatten(1).t().mv(c.flatten()).view(sizes_);
  }

  Tensor spread(const Tensor& c) const { return spread_over_rows(c, device_offsets_, rows()); }

 private:
  std::vector<std::int64_t> sizes_;
  torch::TensorOptions type_;
  std::int64_t parts_;
  Tensor offsets_, device_offsets_;
  bool one_;  // a single space: plain matrix products do
};

}  // namespace

// Legend: V [m, ..., rows, H] orthonormal basis, T = Vᵀ A V [..., P, H, m, m], θ and S the eigenpairs of T.
LargestEigenvalues largest_eigenvalues(const Shift& A, at::IntArrayRef sizes, std::span<const Index> parts,
                                       const torch::TensorOptions& type, const LanczosOptions& options) {
  GSAN_CHECK(options.tolerance > 0 && options.basis >= 4 && options.max_products >= 1,
             "largest_eigenvalue: needs tolerance > 0, basis >= 4 and max_products >= 1, got ",
             options.tolerance, ", ", options.basis, " and ", options.max_products);
  GSAN_CHECK(sizes.size() >= 2, "largest_eigenvalues: signals have the shape [..., rows, columns], got ",
             sizes);
  check_parts("largest_eigenvalues", parts, sizes[sizes.size() - 2]);
  const torch::NoGradGuard no_grad;
  const Spaces spaces(sizes, parts, type);
  const auto number = torch::TensorOptions().dtype(torch::kFloat64);
  LargestEigenvalues result{torch::zeros(spaces.numbers(), number), torch::zeros(spaces.numbers(), number),
                            0};
  const Tensor dimensions = spaces.dimensions();
  if (dimensions.numel() == 0 || spaces.rows() == 0) return result;
  const std::int64_t size = std::min<std::int64_t>(options.basis, dimensions.max().item<std::int64_t>());
  const std::int64_t kept = size / 3;
  const double rounding = type.dtype() == torch::kFloat32 ? std::numeric_limits<float>::epsilon()
                                                          : std::numeric_limits<double>::epsilon();
  const auto with = [](std::vector<std::int64_t> shape, std::initializer_list<std::int64_t> more) {
    shape.insert(shape.end(), more);
    return shape;
  };
  std::vector<std::int64_t> basis_shape = sizes.vec();
  basis_shape.insert(basis_shape.begin(), size);
  Tensor V = torch::zeros(basis_shape, type);  // each vector is contiguous
  Tensor T = torch::zeros(with(spaces.numbers(), {size, size}), number);
  Tensor scale = torch::zeros_like(result.values);  // largest entry of T: at least a third of |T|
  Tensor finished = dimensions <= 0, stopped = finished;

  // w / |w| in the spaces that continue, 0 in the others: their T grows by zeros, which leave θ as it is.
  const auto normalized = [&](const Tensor& w, const Tensor& norm) {
    const Tensor inverse = torch::where(norm > 0, norm.reciprocal(), torch::zeros_like(norm));
    return w * spaces.spread(inverse.to(type));
  };
  const auto norm_of = [&](const Tensor& w) {
    return spaces.dot(w.unsqueeze(0), w).squeeze(0).clamp_min(0).sqrt().to(torch::kCPU, torch::kFloat64);
  };
  const LongWork work("largest eigenvalue");
  Tensor next = spaces.start().contiguous();
  next = normalized(next, norm_of(next));
  std::int64_t m = 0;
  while (true) {
    V[m].copy_(next);
    const Tensor basis = V.narrow(0, 0, m + 1);
    Tensor w = A.apply(next);
    ++result.products;
    Tensor h = spaces.dot(basis, w);
    w = w - spaces.combine(basis, h);
    const Tensor correction = spaces.dot(basis, w);  // twice is enough (Parlett, Kahan)
    w = w - spaces.combine(basis, correction);
    h = (h + correction).to(torch::kCPU, torch::kFloat64).movedim(0, -1);
    T.select(-1, m).narrow(-1, 0, m + 1).copy_(h);
    T.select(-2, m).narrow(-1, 0, m + 1).copy_(h);
    Tensor beta = norm_of(w);
    ++m;
    if (!(beta.isfinite().all().item<bool>() && h.isfinite().all().item<bool>())) {
      fail(Fault::numeric, "largest_eigenvalue: product ", result.products,
           " is not finite; check the operator's scaling");
    }
    // An invariant space (β = 0) that a generic vector started holds every eigenvalue.
    scale = torch::maximum(scale, torch::maximum(h.abs().amax(-1), beta));
    stopped = stopped.logical_or(beta <= 8 * rounding * scale).logical_or(dimensions <= m);
    beta = beta.masked_fill(stopped, 0);

    const bool restart = m == size;
    if (m % steps_per_check == 0 || restart || stopped.all().item<bool>()) {
      const auto [theta, S] = at::linalg_eigh(T.narrow(-2, 0, m).narrow(-1, 0, m));  // increasing
      const Tensor value = theta.select(-1, m - 1).clamp_min(0);
      const Tensor residual = beta * S.select(-1, m - 1).select(-1, m - 1).abs();
      result.values = torch::where(finished, result.values, value);
      result.residuals = torch::where(finished, result.residuals, residual);
      Tensor done = residual <= options.tolerance * value;
      if (result.products < options.polish && m > 1) {  // θ is off by at most residual² / gap
        const Tensor gap = theta.select(-1, m - 1) - theta.select(-1, m - 2);
        done = done.logical_and(residual.square() <= rounding * value * gap);
      }
      finished = finished.logical_or(stopped).logical_or(done);
      if (finished.all().item<bool>()) return result;
      if (result.products >= options.max_products) {
        const Tensor open = finished.logical_not();
        fail(Fault::numeric, "largest_eigenvalue: not converged after ", result.products, " products: value ",
             result.values.masked_select(open)[0].item<double>(), " with residual ",
             result.residuals.masked_select(open)[0].item<double>(), ", wanted ", options.tolerance,
             " relative; raise the tolerance or max_products");
      }
      stopped = finished;
      beta = beta.masked_fill(stopped, 0);
      if (restart) {
        // Keep the best Ritz vectors; their coupling to `next` reappears as the next column of T.
        const Tensor best = S.narrow(-1, m - kept, kept).to(type);
        Tensor kept_vectors = torch::empty_like(V.narrow(0, 0, kept));
        for (std::int64_t i = 0; i < kept; ++i)
          kept_vectors[i].copy_(spaces.combine(V, best.select(-1, i).movedim(-1, 0)));
        V.narrow(0, 0, kept).copy_(kept_vectors);
        T.zero_();
        T.diagonal(0, -2, -1).narrow(-1, 0, kept).copy_(theta.narrow(-1, m - kept, kept));
        m = kept;
      }
    }
    next = normalized(w, beta);
  }
}

LargestEigenvalue largest_eigenvalue(const Shift& A, std::int64_t rows, const torch::TensorOptions& type,
                                     const LanczosOptions& options) {
  const LargestEigenvalues found = largest_eigenvalues(A, {rows, 1}, {}, type, options);
  return {found.values.item<double>(), found.residuals.item<double>(), found.products};
}

}  // namespace gsan
