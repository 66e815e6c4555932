#include "gsan/ops/scaled_incidence.h"

#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/core/check.h"
#include "gsan/ops/detail/incidence_checks.h"
#include "gsan/ops/detail/operand_checks.h"
#include "gsan/ops/detail/scaled_incidence_checks.h"

namespace gsan::ops {
namespace {

constexpr const char* who = "gsan::scaled_incidence";
using Optional = std::optional<at::Tensor>;

void check_factors(const char* name, const at::Tensor& factors, const at::Tensor& x,
                   const c10::SymInt& rows) {
  GSAN_CHECK(factors.dim() >= 2 && factors.sym_size(-1) > 0, who, ": ", name,
             " must have the shape [..., rows, groups], got ", factors.sym_sizes());
  const c10::SymInt groups = factors.sym_size(-1);
  if (factors.dim() == 2)
    check_companion(who, name, factors, "x", x, {rows, groups});
  else
    check_companion(who, name, factors, "x", x, sizes_with(x, 2, {rows, groups}));
  GSAN_CHECK(x.sym_size(-1) % groups == 0, who, ": the ", x.sym_size(-1), " features must fall into ", groups,
             " groups of equal size, as many as ", name, " has");
}

std::tuple<at::Tensor, at::Tensor> sums_meta(const at::Tensor& x, const Optional& x_factors,
                                             const Optional& y_factors, at::TensorList tables, bool boundary,
                                             bool, const Optional& other, bool with_y) {
  const ScaledShape shape = check_scaled(x, x_factors, y_factors, tables, boundary, other);
  const auto options = x.options().memory_format(std::nullopt);
  return {with_y ? at::empty_symint(sizes_with(x, 2, {shape.rows, x.sym_size(-1)}), options)
                 : at::empty({0}, options),
          other ? at::empty_symint(sizes_with(x, 2, {shape.rows, shape.groups}), options)
                : at::empty({0}, options)};
}

// Below autograd, the product is the first half of the sums on every device.
at::Tensor product(const at::Tensor& x, const Optional& x_factors, const Optional& y_factors,
                   at::TensorList tables, bool boundary, bool absolute) {
  return std::get<0>(
      scaled_sums_call(x, x_factors, y_factors, tables, boundary, absolute, std::nullopt, true));
}

Optional if_defined(const at::Tensor& x) { return x.defined() ? Optional(x) : std::nullopt; }

}  // namespace

ScaledShape check_scaled(const at::Tensor& x, const Optional& x_factors, const Optional& y_factors,
                         at::TensorList tables, bool boundary, const Optional& other) {
  GSAN_CHECK(tables.size() == 4, who, ": four tables are needed, faces, offsets, cofaces and columns, got ",
             tables.size());
  const IncidenceShape sides = check_incidence(x, tables[0], tables[1], tables[2], tables[3], boundary);
  ScaledShape shape{boundary ? sides.faces : sides.simplices, 1};
  if (x_factors) check_factors("x_factors", *x_factors, x, x.sym_size(-2));
  if (y_factors) check_factors("y_factors", *y_factors, x, shape.rows);
  if (x_factors || y_factors) shape.groups = (x_factors ? x_factors : y_factors)->sym_size(-1);
  if (x_factors && y_factors)
    GSAN_CHECK(y_factors->sym_size(-1) == shape.groups, who,
               ": x_factors and y_factors must have as many groups, got ", shape.groups, " and ",
               y_factors->sym_size(-1));
  if (other) check_companion(who, "other", *other, "x", x, sizes_with(x, 2, {shape.rows, x.sym_size(-1)}));
  return shape;
}

std::tuple<at::Tensor, at::Tensor> scaled_sums_call(const at::Tensor& x, const Optional& x_factors,
                                                    const Optional& y_factors, at::TensorList tables,
                                                    bool boundary, bool absolute, const Optional& other,
                                                    bool with_y) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::scaled_sums", "").typed<ScaledSums>();
  return op.call(x, x_factors, y_factors, tables, boundary, absolute, other, with_y);
}

at::Tensor scaled_incidence_call(const at::Tensor& x, const Optional& x_factors, const Optional& y_factors,
                                 at::TensorList tables, bool boundary, bool absolute) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::scaled_incidence", "").typed<ScaledProduct>();
  return op.call(x, x_factors, y_factors, tables, boundary, absolute);
}

at::Tensor scaled_incidence(const at::Tensor& x, const at::Tensor& x_factors, const at::Tensor& y_factors,
                            const std::vector<at::Tensor>& tables, bool boundary, bool absolute) {
  return scaled_incidence_call(x, if_defined(x_factors), if_defined(y_factors), tables, boundary, absolute);
}

TORCH_LIBRARY_FRAGMENT(gsan, m) {
  m.def(
      "scaled_incidence(Tensor x, Tensor? x_factors, Tensor? y_factors, Tensor[] tables, bool boundary, "
      "bool absolute=False) -> Tensor");
  m.def(
      "scaled_sums(Tensor x, Tensor? x_factors, Tensor? y_factors, Tensor[] tables, bool boundary, "
      "bool absolute, Tensor? other, bool with_y) -> (Tensor, Tensor)");
}

TORCH_LIBRARY_IMPL(gsan, Meta, m) { m.impl("scaled_sums", sums_meta); }
TORCH_LIBRARY_IMPL(gsan, CompositeExplicitAutograd, m) { m.impl("scaled_incidence", product); }

}  // namespace gsan::ops
