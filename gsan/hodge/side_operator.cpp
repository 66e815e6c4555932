#include "gsan/hodge/side_operator.h"

#include <cmath>

#include "gsan/core/check.h"
#include "gsan/hodge/parts.h"

namespace gsan {
namespace {

// Pseudo-inverse of a diagonal.
Tensor pseudo_inverse(const Tensor& d) { return torch::where(d > 0, d.reciprocal(), torch::zeros_like(d)); }

// One value [N] for all rows.
Tensor constant(std::int64_t rows, double value, torch::Device device) {
  return torch::full({rows}, value, torch::TensorOptions().dtype(torch::kFloat64).device(device));
}

// A number of the complex per row: x [N] float64 → |B| x [M].
Tensor absolute_sum(const Incidence& B, const Tensor& x) {
  return B.absolute_boundary(x.unsqueeze(-1)).squeeze(-1);
}

// Makes the operator of one order and side in float64.
class Maker {
 public:
  Maker(const ComplexOperators& operators, int k, Side side)
      : operators_(operators),
        k_(k),
        lower_(side == Side::lower),
        B_(operators.incidence(lower_ ? k : k + 1)) {}

  SideOperator none() const { return {B_, B_, 1, {}}; }

  SideOperator lambda_max() const {
    const Tensor& largest = operators_.lambda_max(k_);
    const Tensor scale = torch::where(largest > 0, largest.reciprocal(), torch::ones_like(largest));
    if (operators_.part_count() == 1) return {B_, B_, scale.item<double>(), {}};
    const Tensor rows =
        spread_over_rows(scale, operators_.part_offsets(k_), operators_.count(k_)).squeeze(-1).contiguous();
    return {own_scaled(rows.sqrt()), B_, 1, {}, rows};
  }

  SideOperator centered() const {
    SideOperator result = lambda_max();
    result.factor *= 2;
    result.diagonal = constant(operators_.count(k_), -1, operators_.device()).unsqueeze(-1);
    return result;
  }

  SideOperator signed_adjacency() const { return {B_, B_, 1, -laplacian_diagonal().unsqueeze(-1)}; }

  SideOperator renormalized() const {
    const Tensor degrees = laplacian_diagonal() + 1;
    if (!operators_.is_absolute())
      return {own_scaled(degrees.rsqrt()), B_, -1, torch::ones_like(degrees).unsqueeze(-1)};
    return {own_scaled(degrees.rsqrt()), B_, 1, ((2 - degrees) / degrees).unsqueeze(-1)};
  }

  SideOperator bunch(int lowest, int highest) const {
    if (lower_ && k_ == highest) {
      const Tensor d5 = pseudo_inverse(absolute_sum(B_, constant(B_.columns(), 1, operators_.device())));
      return {B_.scaled(d5.sqrt(), {}), B_.scaled(d5, {}), 1, {}};
    }
    const Tensor d2 = d2_of(k_);
    if (lower_) {
      const Tensor d1 = pseudo_inverse((k_ + 1) * absolute_sum(B_, d2));
      return {B_.scaled(d1.sqrt(), d2.sqrt()), B_.scaled(d1, d2), 1, {}};
    }
    const double d3 = k_ == 0 ? 1 : 1.0 / (k_ + 2);
    const Tensor coupling = k_ == lowest ? pseudo_inverse((k_ + 2) * absolute_sum(B_, d2_of(k_ + 1)))
                                         : constant(B_.rows(), d3, operators_.device());
    return {B_.scaled(d2.rsqrt() * std::sqrt(d3), {}), B_.scaled(coupling, {}), 1, {}};
  }

 private:
  // B with the factors on its side of order k: columns of B_k, rows of B_{k+1}.
  Incidence own_scaled(const Tensor& factors) const {
    return lower_ ? B_.scaled({}, factors) : B_.scaled(factors, {});
  }
  Tensor laplacian_diagonal() const {
    if (!lower_) return operators_.coface_counts(k_);
    return constant(operators_.count(k_), k_ == 0 ? 0 : k_ + 1, operators_.device());
  }
  Tensor d2_of(int k) const { return operators_.coface_counts(k).clamp_min(1); }

  const ComplexOperators& operators_;
  int k_;
  bool lower_;
  const Incidence& B_;
};

SideOperator make(const Maker& maker, Normalization kind, int lowest, int highest) {
  switch (kind) {
    case Normalization::none:
      return maker.none();
    case Normalization::lambda_max:
      return maker.lambda_max();
    case Normalization::centered:
      return maker.centered();
    case Normalization::bunch:
      return maker.bunch(lowest, highest);
    case Normalization::signed_adjacency:
      return maker.signed_adjacency();
    case Normalization::renormalized:
      break;
  }
  return maker.renormalized();
}

// The same scaling in another float type, of the plain operator.
Incidence converted(const Incidence& plain, const Incidence& scaled, torch::ScalarType type) {
  const auto convert = [&](const Tensor& scale) { return scale.defined() ? scale.to(type) : scale; };
  return plain.scaled(convert(scaled.row_scale()), convert(scaled.column_scale()));
}

}  // namespace

SideOperator side_operator(const ComplexOperators& operators, int k, Side side, Normalization kind,
                           int lowest, int highest, torch::ScalarType type) {
  GSAN_CHECK(side != Side::both, "side_operator: the side must be lower or upper, got both; use side_shift");
  GSAN_CHECK(0 <= lowest && lowest <= k && k <= highest,
             "side_operator: order k must carry signals, 0 <= lowest <= k <= highest, got lowest = ", lowest,
             ", k = ", k, ", highest = ", highest);
  GSAN_CHECK(type == torch::kFloat32 || type == torch::kFloat64,
             "side_operator: the type must be float32 or float64, got ", type);
  const DerivedKey key{
      "side_operator",
      {k, static_cast<int>(side), static_cast<int>(kind), lowest, highest, static_cast<int>(type)}};
  return operators.derived<SideOperator>(key, [&] {
    SideOperator made = make(Maker(operators, k, side), kind, lowest, highest);
    const Incidence& B = operators.incidence(side == Side::lower ? k : k + 1);
    made.shift = converted(B, made.shift, type);
    made.coupling = converted(B, made.coupling, type);
    for (Tensor* numbers : {&made.diagonal, &made.part_factor})
      if (numbers->defined()) *numbers = numbers->to(type);
    return made;
  });
}

LaplacianShift side_shift(const ComplexOperators& operators, int k, Side side, Normalization kind, int lowest,
                          int highest, torch::ScalarType type) {
  const auto of = [&](Side one) { return side_operator(operators, k, one, kind, lowest, highest, type); };
  if (side == Side::lower) {
    const SideOperator lower = of(side);
    return {lower.shift, operators.incidence(k + 1), side, lower.factor, lower.diagonal};
  }
  if (side == Side::upper) {
    const SideOperator upper = of(side);
    return {operators.incidence(k), upper.shift, side, upper.factor, upper.diagonal};
  }
  const SideOperator lower = of(Side::lower), upper = of(Side::upper);
  Tensor diagonal = lower.diagonal;
  // One −I belongs to the whole of 2 L / λ_max − I; the diagonals of the others are those of their sides.
  if (diagonal.defined() && kind != Normalization::centered) diagonal = diagonal + upper.diagonal;
  return {lower.shift, upper.shift, side, lower.factor, diagonal};
}

}  // namespace gsan
