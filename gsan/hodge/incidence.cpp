#include "gsan/hodge/incidence.h"

#include <algorithm>

#include "gsan/core/check.h"
#include "gsan/hodge/detail/feature_groups.h"
#include "gsan/ops/incidence.h"
#include "gsan/ops/scaled_incidence.h"

namespace gsan {
namespace {

// A tensor over a table of the complex, which it keeps alive; a copy on another device.
template <class Entry>
Tensor view(const SimplicialComplex& complex, std::span<const Entry> table, at::IntArrayRef sizes,
            torch::ScalarType type, torch::Device device) {
  const auto options = torch::TensorOptions().dtype(type);
  if (table.empty()) return torch::zeros(sizes, options.device(device));
  // The tables are read-only by contract; torch has no tensor of const.
  void* data = const_cast<Entry*>(table.data());
  return torch::from_blob(
             data, sizes, [kept = complex.storage()](void*) {}, options)
      .to(device);
}

// Two scalings [..., N, H] of one operator, or of its two sides.
void check_groups(const Tensor& a, const Tensor& b) {
  static constexpr const char* who = "Incidence::scaled";
  GSAN_CHECK(a.size(-1) == b.size(-1) || a.size(-1) == 1 || b.size(-1) == 1, who,
             ": the scalings of one operator must have as many groups of features, or 1, got ", a.sizes(),
             " and ", b.sizes());
  check_leading_dimensions(who, a, b);
}

// The scalings of one operator as ops/scaled_incidence.h takes them for a signal x, with H columns both.
struct GroupedScalings {
  Tensor row, column;  // undefined = ones
  bool fit = true;     // whether they suit x: else the product is composed, or refused there

  GroupedScalings(const Tensor& row_scale, const Tensor& column_scale, const Tensor& x) {
    const auto groups_of = [](const Tensor& t) { return t.defined() && t.dim() > 1 ? t.size(-1) : 1; };
    const std::int64_t groups = std::max(groups_of(row_scale), groups_of(column_scale));
    // Narrower groups would leave most of a vector unused, where a scaled copy is made in full ones.
    constexpr std::int64_t narrowest = 4;
    fit = x.size(-1) % groups == 0 && x.size(-1) >= narrowest * groups;
    row = grouped(row_scale, groups, x);
    column = grouped(column_scale, groups, x);
  }

 private:
  Tensor grouped(const Tensor& scale, std::int64_t groups, const Tensor& x) {
    if (!scale.defined()) return scale;
    fit = fit && scale.scalar_type() == x.scalar_type() &&
          (scale.dim() <= 2 || scale.sizes().slice(0, scale.dim() - 2) == x.sizes().slice(0, x.dim() - 2));
    const Tensor columns = scale.dim() == 1 ? scale.unsqueeze(-1) : scale;
    if (columns.size(-1) == groups) return columns;
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(columns.dim()), -1);
    sizes.back() = groups;
    return columns.expand(sizes);
  }
};

}  // namespace

Incidence::Incidence(const SimplicialComplex& complex, int k, torch::Device device)
    : k_(k), rows_(complex.count(k - 1)), columns_(complex.count(k)) {
  GSAN_CHECK(k >= 0, "Incidence: the order of B_k must not be negative, got k = ", k);
  // A vertex has no face in the complex (order −1 is empty): B_0 has width 0.
  const std::int64_t width = k == 0 ? 0 : k + 1;
  const std::int64_t incidences = columns_ * width;
  faces_ = view(complex, complex.face_table(k), {columns_, width}, torch::kInt32, device);
  offsets_ = view(complex, complex.coface_offsets(k - 1), {rows_ + 1}, torch::kInt64, device);
  cofaces_ = view(complex, complex.coface_table(k - 1), {incidences}, torch::kInt32, device);
  coface_columns_ = view(complex, complex.coface_columns(k - 1), {incidences}, torch::kUInt8, device);
}

Incidence::Incidence(int k, const std::vector<Tensor>& tables)
    : k_(k),
      rows_(tables[1].size(0) - 1),
      columns_(tables[0].size(0)),
      faces_(tables[0]),
      offsets_(tables[1]),
      cofaces_(tables[2]),
      coface_columns_(tables[3]) {}

torch::Device Incidence::device() const { return faces_.device(); }

Tensor Incidence::boundary(const Tensor& x) const { return apply(x, false, false); }
Tensor Incidence::coboundary(const Tensor& x) const { return apply(x, true, false); }
Tensor Incidence::absolute_boundary(const Tensor& x) const { return apply(x, false, true); }
Tensor Incidence::absolute_coboundary(const Tensor& x) const { return apply(x, true, true); }

Tensor Incidence::apply(const Tensor& x, bool transposed, bool absolute) const {
  const char* who = transposed ? (absolute ? "Incidence::absolute_coboundary" : "Incidence::coboundary")
                               : (absolute ? "Incidence::absolute_boundary" : "Incidence::boundary");
  const std::int64_t expected = transposed ? rows_ : columns_;
  const int order = transposed ? k_ - 1 : k_;
  GSAN_CHECK(x.defined(), who, ": x is undefined; pass a signal on the ", expected, " simplices of order ",
             order);
  GSAN_CHECK(x.dim() >= 2, who, ": x must have the shape [..., ", expected, ", F], got ", x.sizes(),
             "; add a last dimension with x.unsqueeze(-1)");
  GSAN_CHECK(x.size(-2) == expected, who, " of B_", k_, ": x must have ", expected, " rows (the ", order,
             "-simplices), got ", x.size(-2));
  GSAN_CHECK(x.device() == device(), who, ": x is on ", x.device(), " but the operator is on ", device());
  if (is_scaled() && !absolute && !row_signs_.defined()) {
    const GroupedScalings scalings(row_scale_, column_scale_, x);
    if (scalings.fit) {
      return transposed
                 ? ops::scaled_incidence(x, scalings.row, scalings.column, tables(), false, is_absolute_)
                 : ops::scaled_incidence(x, scalings.column, scalings.row, tables(), true, is_absolute_);
    }
  }
  const auto scale = [&](const Tensor& y, const Tensor& factors, const Tensor& signs) {
    const Tensor oriented = signs.defined() && !absolute ? y * signs.unsqueeze(-1) : y;
    if (!factors.defined()) return oriented;
    return scale_features(who, oriented, absolute ? factors.abs() : factors);
  };
  if (transposed) {
    const Tensor y = ops::coboundary(scale(x, row_scale_, row_signs_), faces_, offsets_, cofaces_,
                                     coface_columns_, absolute || is_absolute_);
    return scale(y, column_scale_, column_signs_);
  }
  const Tensor y = ops::boundary(scale(x, column_scale_, column_signs_), faces_, offsets_, cofaces_,
                                 coface_columns_, absolute || is_absolute_);
  return scale(y, row_scale_, row_signs_);
}

Incidence Incidence::oriented(const Tensor& row, const Tensor& column) const {
  const auto check = [&](const Tensor& signs, std::int64_t expected, const char* name) {
    GSAN_CHECK(signs.defined() && signs.scalar_type() == torch::kInt8 && signs.dim() == 1 &&
                   signs.size(0) == expected && signs.device() == device(),
               "Incidence::oriented: ", name, " must be int8 [", expected, "] on ", device());
  };
  check(row, rows_, "row");
  check(column, columns_, "column");
  if (is_absolute_) return *this;
  Incidence result = *this;
  result.row_signs_ = row_signs_.defined() ? row_signs_ * row : row;
  result.column_signs_ = column_signs_.defined() ? column_signs_ * column : column;
  return result;
}

Incidence Incidence::absolute() const {
  Incidence result = *this;
  result.row_signs_ = result.column_signs_ = Tensor();
  result.is_absolute_ = true;
  return result;
}

Incidence Incidence::scaled(const Tensor& row, const Tensor& column) const {
  static constexpr const char* who = "Incidence::scaled";
  const auto multiply = [&](const Tensor& before, const Tensor& factors, std::int64_t expected,
                            const char* name) {
    if (!factors.defined()) return before;
    const bool plain = factors.dim() == 1 && factors.size(0) == expected;
    const bool grouped = factors.dim() >= 2 && factors.size(-2) == expected && factors.size(-1) > 0;
    GSAN_CHECK(plain || grouped, who, ": ", name, " must have the shape [", expected, "] or [..., ", expected,
               ", groups], got ", factors.sizes());
    GSAN_CHECK(factors.scalar_type() == torch::kFloat32 || factors.scalar_type() == torch::kFloat64, who,
               ": ", name, " must be float32 or float64, got ", factors.scalar_type());
    GSAN_CHECK(factors.device() == device(), who, ": ", name, " is on ", factors.device(),
               " but the operator is on ", device());
    if (!before.defined()) return factors;
    GSAN_CHECK(before.scalar_type() == factors.scalar_type(), who, ": ", name, " is ", factors.scalar_type(),
               " but the operator is already scaled in ", before.scalar_type());
    if (before.dim() == 1 && plain) return before * factors;
    const Tensor a = before.dim() == 1 ? before.unsqueeze(-1) : before;
    const Tensor b = plain ? factors.unsqueeze(-1) : factors;
    check_groups(a, b);
    return a * b;
  };
  Incidence result = *this;
  result.row_scale_ = multiply(row_scale_, row, rows_, "row");
  result.column_scale_ = multiply(column_scale_, column, columns_, "column");
  const Tensor &r = result.row_scale_, &c = result.column_scale_;
  if (r.defined() && c.defined()) {
    GSAN_CHECK(r.scalar_type() == c.scalar_type(), who, ": row is ", r.scalar_type(), " but column is ",
               c.scalar_type(), "; convert one of them");
    if (r.dim() > 1 && c.dim() > 1) check_groups(r, c);
  }
  return result;
}

}  // namespace gsan
