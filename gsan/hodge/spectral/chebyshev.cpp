#include "gsan/hodge/spectral/detail/chebyshev.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gsan/core/check.h"
#include "gsan/core/long_work.h"
#include "gsan/hodge/detail/operand_type.h"
#include "gsan/hodge/solve/random_signal.h"

namespace gsan {
namespace {

// Legend: A = back ∘ forward on the filter side (the smaller of rows and columns), λ̄ ≥ λ_max(A).
// A block Y [., p] there has the images V = forward(Y), which are kept orthonormal and are what the
// Ritz values θ = σ² belong to; W = back(V). What Y has in ker A is invisible in V.
class FilteredSubspace {
 public:
  FilteredSubspace(const Incidence& B, const SpectrumOptions& options);
  /// Nothing where more than `budget` products would be needed.
  std::optional<SingularSpectrum> run(std::int64_t budget);

 private:
  Tensor forward(const Tensor& y) const { return rows_smaller_ ? B_.coboundary(y) : B_.boundary(y); }
  Tensor back(const Tensor& v) const { return rows_smaller_ ? B_.boundary(v) : B_.coboundary(v); }
  void rayleigh_ritz(const Tensor& Y);
  double worst_residual() const;
  bool improve(std::int64_t budget);
  Tensor smoothed(const Tensor& V);
  template <class Operator>
  Tensor filter(const Operator& A, const Tensor& X, double low, double high, double target, double degree);

  const Incidence& B_;
  const SpectrumOptions& options_;
  const bool rows_smaller_;
  const bool smallest_;
  const std::int64_t count_, block_;
  double epsilon_, bound_;
  std::int64_t products_ = 0;
  bool beside_ = false;
  Tensor Y_, V_, W_, theta_, residual_;  // wanted end first
};

FilteredSubspace::FilteredSubspace(const Incidence& B, const SpectrumOptions& options)
    : B_(B),
      options_(options),
      rows_smaller_(B.rows() <= B.columns()),
      smallest_(options.end == SpectrumEnd::smallest),
      count_(options.count.value()),
      block_(chebyshev_block(count_)) {
  const auto type = operand_type(B);
  epsilon_ = type.dtype() == torch::kFloat32 ? std::numeric_limits<float>::epsilon()
                                             : std::numeric_limits<double>::epsilon();
  const double bytes = 8.0 * static_cast<double>(block_) * 6.0 * static_cast<double>(B.rows() + B.columns());
  if (bytes > static_cast<double>(options.max_memory)) {
    fail(Fault::resource, "singular_spectrum: ", count_, " singular values of B_", B.order(), " need about ",
         static_cast<std::int64_t>(bytes / 0x1p20), " MiB, more than max_memory = ", options.max_memory >> 20,
         " MiB; ask for fewer, or raise max_memory");
  }
  // Row sums of |B|ᵀ|B| and |B||B|ᵀ bound the same λ_max.
  const Tensor rows = B.absolute_boundary(B.absolute_coboundary(torch::ones({B.rows(), 1}, type)));
  const Tensor columns = B.absolute_coboundary(B.absolute_boundary(torch::ones({B.columns(), 1}, type)));
  bound_ = std::min(rows.max().item<double>(), columns.max().item<double>());
  if (!std::isfinite(bound_))
    fail(Fault::numeric, "singular_spectrum: B_", B.order(), " has entries that are not finite");
}

void FilteredSubspace::rayleigh_ritz(const Tensor& Y) {
  const auto [Q, R] = at::linalg_qr(smoothed(forward(Y)));
  const Tensor BQ = back(Q);
  auto [theta, S] = at::linalg_eigh(BQ.t().mm(BQ));
  if (!smallest_) {
    theta = theta.flip(0);
    S = S.flip(1);
  }
  theta_ = theta;
  V_ = Q.mm(S);
  W_ = BQ.mm(S);
  Y_ = Y.mm(at::linalg_solve_triangular(R, S, /*upper=*/true));
  residual_ = (forward(W_) - V_ * theta_).norm(2, {0});
  products_ += 2;
  // The part of Y in ker A is damped by no filter. Where it has grown out of rounding to much more
  // than the rest, |Y| ≈ 1/σ, replace y by A y / θ, which has none; but only there, because this
  // also weakens the smallest eigenvectors in y.
  const Tensor clean = Y_.norm(2, {0}) * theta_.sqrt() < 10;
  Y_ = torch::where(clean, Y_, W_ / theta_);
}

// Largest residual of the wanted pairs, in units of what is accepted.
double FilteredSubspace::worst_residual() const {
  const double tolerance = std::max(options_.tolerance, 1000 * epsilon_);  // matters to float32 only
  const Tensor accepted = (tolerance * theta_).clamp_min(64 * epsilon_ * bound_);
  return (residual_ / accepted).narrow(0, 0, count_).max().item<double>();
}

// The rounding of Y, of all frequencies alike, comes out in V = forward(Y) with the highest enlarged
// most, by √(λ̄/θ). Near the end a short filter on the side of V removes it.
Tensor FilteredSubspace::smoothed(const Tensor& V) {
  if (!smallest_ || !theta_.defined() || worst_residual() > 1e6) return V;
  const double edge = 16 * theta_[block_ - 1].item<double>();
  if (edge > bound_ / 4) return V;
  return filter([&](const Tensor& v) { return forward(back(v)); }, V, edge, bound_, 0,
                3.5 * std::sqrt(bound_ / edge));
}

// p(A) X for the Chebyshev polynomial of this degree on [low, high], scaled to p(target) = 1.
template <class Operator>
Tensor FilteredSubspace::filter(const Operator& A, const Tensor& X, double low, double high, double target,
                                double degree) {
  const double center = (low + high) / 2, half = (high - low) / 2;
  const double sigma_1 = half / (target - center);
  double sigma = sigma_1;
  Tensor previous = X;
  Tensor current = (A(X) - center * X) * (sigma_1 / half);
  const auto steps = static_cast<std::int64_t>(std::clamp(degree, 4.0, 20000.0));
  for (std::int64_t i = 2; i <= steps; ++i) {
    const double next_sigma = 1 / (2 / sigma_1 - sigma);
    Tensor next = A(current);
    next.sub_(current, center).mul_(2 * next_sigma / half).sub_(previous, sigma * next_sigma);
    previous = std::move(current);
    current = std::move(next);
    sigma = next_sigma;
  }
  products_ += steps;
  return current;
}

// Damps what lies beyond an edge at the last Ritz value of the block; what lies on the wanted side
// grows with the degree, by acosh(1 + 2 beyond/width) in logarithms.
// False, and nothing done, where the filter would take more products than the budget has.
bool FilteredSubspace::improve(std::int64_t budget) {
  const auto A = [&](const Tensor& y) { return back(forward(y)); };
  const auto growth = [](double beyond, double width) { return std::acosh(1 + 2 * beyond / width); };
  // At most e^10 = 2e4 in one filter, so that neither the vectors at the edge sink into rounding nor
  // what lies in ker A grows far above it.
  constexpr double log_range = 10;
  const double best = theta_[0].item<double>(), wanted = theta_[count_ - 1].item<double>();
  const double last = theta_[block_ - 1].item<double>(), residual = residual_[0].item<double>();
  const double before = worst_residual(), needed = std::log(before) + 2;
  const auto is_too_much = [&](double degree) { return degree > static_cast<double>(budget - products_); };
  if (smallest_) {
    // A block that is still spread over many eigenvalues lies well above the smallest ones.
    const bool resolved = residual < best / 2;
    const double edge = std::min(!resolved ? last / 4 : beside_ ? 1.25 * last : last, 0.95 * bound_);
    double degree = log_range / growth(edge, bound_ - edge);
    if (wanted < edge) degree = std::min(degree, needed / growth(edge - wanted, bound_ - edge));
    if (is_too_much(degree)) return false;
    rayleigh_ritz(filter(A, Y_, edge, bound_, 0, degree));
  } else {
    const double top = std::min(bound_, best + residual);
    const double edge = std::min(beside_ ? 0.8 * last : last, (1 - 1e-4) * top);
    double degree = log_range / growth(top - edge, edge);
    if (wanted > edge) degree = std::min(degree, needed / growth(wanted - edge, edge));
    if (is_too_much(degree)) return false;
    rayleigh_ritz(filter(A, Y_, 0, edge, top, degree));
  }
  // The whole block may sit on one eigenvalue: then the edge must lie beside it.
  if (worst_residual() > before / 3) beside_ = !beside_;
  return true;
}

std::optional<SingularSpectrum> FilteredSubspace::run(std::int64_t budget) {
  const std::int64_t filter_rows = rows_smaller_ ? B_.rows() : B_.columns();
  const Tensor start = random_signal(filter_rows, block_, "chebyshev", operand_type(B_));
  rayleigh_ritz(back(forward(start)));  // nothing in ker A
  double worst = worst_residual();
  const double digits = std::log(worst);  // that are to be gained
  LongWork work(concat("singular values of B_", B_.order()), digits);
  for (; !(worst <= 1); worst = worst_residual()) {
    work.reach(digits - std::log(worst));
    if (products_ >= options_.max_products || !std::isfinite(worst)) {
      fail(Fault::numeric, "singular_spectrum: the ", count_, smallest_ ? " smallest" : " largest",
           " singular values of B_", B_.order(), " did not converge in ", products_,
           " products; the largest residual is still ", worst,
           " times the accepted one; ask for fewer, or raise tolerance or max_products");
    }
    if (!improve(budget)) return std::nullopt;
  }
  const Tensor sigma = theta_.narrow(0, 0, count_).sqrt();
  const Tensor V = V_.narrow(1, 0, count_), W = W_.narrow(1, 0, count_) / sigma;
  const SingularSpectrum result{sigma, rows_smaller_ ? W : V, rows_smaller_ ? V : W};
  if (smallest_) return SingularSpectrum{result.values, result.left.contiguous(), result.right.contiguous()};
  return SingularSpectrum{result.values.flip(0), result.left.flip(1), result.right.flip(1)};
}

}  // namespace

std::int64_t chebyshev_block(std::int64_t count) { return count + std::max<std::int64_t>(8, count / 2); }

SingularSpectrum extreme_singular_triplets(const Incidence& B, const SpectrumOptions& options) {
  return *FilteredSubspace(B, options).run(std::numeric_limits<std::int64_t>::max());
}

std::optional<SingularSpectrum> extreme_singular_triplets(const Incidence& B, const SpectrumOptions& options,
                                                          std::int64_t products) {
  return FilteredSubspace(B, options).run(products);
}

}  // namespace gsan
