// The incidence products on a device without a kernel of its own: one index_select or
// index_add per column of the face table.

#include <ATen/ops/index_select.h>
#include <ATen/ops/zeros.h>
#include <torch/library.h>

#include "gsan/ops/detail/incidence_checks.h"

namespace gsan::ops {
namespace {

at::Tensor zeros_with_rows(const at::Tensor& x, const c10::SymInt& rows) {
  c10::SymDimVector sizes(x.sym_sizes().begin(), x.sym_sizes().end());
  sizes[sizes.size() - 2] = rows;
  return at::zeros_symint(sizes, x.options());
}

int column_sign(int64_t j, bool absolute) { return !absolute && j % 2 == 1 ? -1 : 1; }

at::Tensor boundary_composite(const at::Tensor& x, const at::Tensor& faces, const at::Tensor& offsets,
                              const at::Tensor& cofaces, const at::Tensor& columns, bool absolute) {
  const auto shape = check_incidence(x, faces, offsets, cofaces, columns, true);
  at::Tensor y = zeros_with_rows(x, shape.faces);
  for (int64_t j = 0; j < faces.size(1); ++j)
    y.index_add_(-2, faces.select(1, j), x, column_sign(j, absolute));
  return y;
}

at::Tensor coboundary_composite(const at::Tensor& x, const at::Tensor& faces, const at::Tensor& offsets,
                                const at::Tensor& cofaces, const at::Tensor& columns, bool absolute) {
  const auto shape = check_incidence(x, faces, offsets, cofaces, columns, false);
  at::Tensor y = zeros_with_rows(x, shape.simplices);
  for (int64_t j = 0; j < faces.size(1); ++j) {
    y.add_(at::index_select(x, -2, faces.select(1, j)), column_sign(j, absolute));
  }
  return y;
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CompositeExplicitAutograd, m) {
  m.impl("boundary", boundary_composite);
  m.impl("coboundary", coboundary_composite);
}

}  // namespace gsan::ops
