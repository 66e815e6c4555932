// scaled_sums on a device without a kernel of its own: scaling, product, scaling.

#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/ops/detail/scaled_incidence_checks.h"
#include "gsan/ops/incidence.h"

namespace gsan::ops {
namespace {

using Optional = std::optional<at::Tensor>;

std::tuple<at::Tensor, at::Tensor> sums_composite(const at::Tensor& x, const Optional& x_factors,
                                                  const Optional& y_factors, at::TensorList tables,
                                                  bool boundary_, bool absolute, const Optional& other,
                                                  bool with_y) {
  const ScaledShape shape = check_scaled(x, x_factors, y_factors, tables, boundary_, other);
  const c10::SymInt groups = shape.groups, width = x.sym_size(-1) / groups;
  const auto grouped = [&](const at::Tensor& t) { return t.unflatten_symint(-1, {groups, width}); };
  const auto scaled = [&](const at::Tensor& t, const Optional& factors) {
    return factors ? (grouped(t) * factors->unsqueeze(-1)).flatten(-2) : t;
  };
  const auto product = boundary_ ? boundary : coboundary;
  const at::Tensor sum = product(scaled(x, x_factors), tables[0], tables[1], tables[2], tables[3], absolute);
  const at::Tensor none = at::empty({0}, x.options());
  return {with_y ? scaled(sum, y_factors) : none, other ? (grouped(sum) * grouped(*other)).sum(-1) : none};
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CompositeExplicitAutograd, m) { m.impl("scaled_sums", sums_composite); }

}  // namespace gsan::ops
