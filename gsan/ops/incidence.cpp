#include "gsan/ops/incidence.h"

#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/core/check.h"
#include "gsan/ops/detail/incidence_checks.h"

namespace gsan::ops {
namespace {

using Product = at::Tensor(const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&,
                           const at::Tensor&, bool);

at::Tensor empty_product(const at::Tensor& x, const c10::SymInt& rows) {
  c10::SymDimVector sizes(x.sym_sizes().begin(), x.sym_sizes().end());
  sizes[sizes.size() - 2] = rows;
  return at::empty_symint(sizes, x.options().memory_format(std::nullopt));
}

at::Tensor boundary_meta(const at::Tensor& x, const at::Tensor& faces, const at::Tensor& offsets,
                         const at::Tensor& cofaces, const at::Tensor& columns, bool) {
  return empty_product(x, check_incidence(x, faces, offsets, cofaces, columns, true).faces);
}

at::Tensor coboundary_meta(const at::Tensor& x, const at::Tensor& faces, const at::Tensor& offsets,
                           const at::Tensor& cofaces, const at::Tensor& columns, bool) {
  return empty_product(x, check_incidence(x, faces, offsets, cofaces, columns, false).simplices);
}

}  // namespace

IncidenceShape check_incidence(const at::Tensor& x, const at::Tensor& faces, const at::Tensor& offsets,
                               const at::Tensor& cofaces, const at::Tensor& columns, bool boundary) {
  const char* who = boundary ? "gsan::boundary: " : "gsan::coboundary: ";
  const bool is_stored = x.scalar_type() == at::kBFloat16 && (x.is_cuda() || x.is_meta());
  GSAN_CHECK(is_stored || x.scalar_type() == at::kFloat || x.scalar_type() == at::kDouble, who,
             "x must be float32 or float64 (on a GPU also bfloat16), got ", x.scalar_type());
  GSAN_CHECK(x.dim() >= 2, who, "x must have the shape [..., simplices, features], got ", x.sym_sizes(),
             "; add a last dimension with x.unsqueeze(-1)");
  GSAN_CHECK(x.layout() == at::kStrided, who, "x must be dense, got layout ", x.layout());
  const auto check_table = [&](const at::Tensor& table, const char* name, at::ScalarType type, int dim) {
    GSAN_CHECK(table.scalar_type() == type, who, name, " must be ", type, ", got ", table.scalar_type());
    GSAN_CHECK(table.dim() == dim, who, name, " must have ", dim, " dimension(s), got shape ",
               table.sym_sizes());
    GSAN_CHECK(table.device() == x.device(), who, name, " is on ", table.device(), " but x is on ",
               x.device());
  };
  check_table(faces, "faces", at::kInt, 2);
  check_table(offsets, "offsets", at::kLong, 1);
  check_table(cofaces, "cofaces", at::kInt, 1);
  check_table(columns, "columns", at::kByte, 1);
  GSAN_CHECK(offsets.sym_size(0) >= 1, who,
             "offsets must hold one number more than there are faces, got none");
  const c10::SymInt incidences = faces.sym_size(0) * faces.sym_size(1);
  GSAN_CHECK(cofaces.sym_size(0) == incidences && columns.sym_size(0) == incidences, who,
             "cofaces and columns must hold one entry per entry of faces, ", incidences, ", got ",
             cofaces.sym_size(0), " and ", columns.sym_size(0));
  IncidenceShape shape{faces.sym_size(0), offsets.sym_size(0) - 1};
  const c10::SymInt& rows = boundary ? shape.simplices : shape.faces;
  GSAN_CHECK(x.sym_size(-2) == rows, who, "x must have ", rows,
             boundary ? " rows (one per simplex), got " : " rows (one per face), got ", x.sym_size(-2));
  return shape;
}

at::Tensor boundary(const at::Tensor& x, const at::Tensor& faces, const at::Tensor& offsets,
                    const at::Tensor& cofaces, const at::Tensor& columns, bool absolute) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::boundary", "").typed<Product>();
  return op.call(x, faces, offsets, cofaces, columns, absolute);
}

at::Tensor coboundary(const at::Tensor& x, const at::Tensor& faces, const at::Tensor& offsets,
                      const at::Tensor& cofaces, const at::Tensor& columns, bool absolute) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::coboundary", "").typed<Product>();
  return op.call(x, faces, offsets, cofaces, columns, absolute);
}

TORCH_LIBRARY_FRAGMENT(gsan, m) {
  m.def(
      "boundary(Tensor x, Tensor faces, Tensor offsets, Tensor cofaces, Tensor columns, bool absolute=False)"
      " -> Tensor");
  m.def(
      "coboundary(Tensor x, Tensor faces, Tensor offsets, Tensor cofaces, Tensor columns, bool "
      "absolute=False)"
      " -> Tensor");
}

TORCH_LIBRARY_IMPL(gsan, Meta, m) {
  m.impl("boundary", boundary_meta);
  m.impl("coboundary", coboundary_meta);
}

}  // namespace gsan::ops
