#include "gsan/ops/column_sums.h"

#include <torch/library.h>

#include "gsan/core/check.h"
#include "gsan/ops/autograd/recording.h"

namespace gsan::ops {
namespace {

using Sums = at::Tensor(const at::Tensor&);

at::Tensor sums_of_torch(const at::Tensor& g) {
  GSAN_CHECK(g.dim() >= 2, "gsan::column_sums: g must be [..., rows, columns], got ", g.sizes());
  return g.flatten(0, -2).sum(0);
}

at::Tensor sums_meta(const at::Tensor& g) { return g.new_empty_symint({g.sym_size(-1)}); }

at::Tensor call(const at::Tensor& g) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::column_sums", "").typed<Sums>();
  return op.call(g);
}

at::Tensor sums_autograd(const at::Tensor& g) {
  if (records(g) || g._fw_grad(0).defined()) return sums_of_torch(g);
  at::AutoDispatchBelowADInplaceOrView below;
  return call(g);
}

}  // namespace

at::Tensor column_sums(const at::Tensor& g) { return call(g); }

TORCH_LIBRARY_FRAGMENT(gsan, m) { m.def("column_sums(Tensor g) -> Tensor"); }
TORCH_LIBRARY_IMPL(gsan, Autograd, m) { m.impl("column_sums", sums_autograd); }
TORCH_LIBRARY_IMPL(gsan, CompositeExplicitAutograd, m) { m.impl("column_sums", sums_of_torch); }
TORCH_LIBRARY_IMPL(gsan, Meta, m) { m.impl("column_sums", sums_meta); }

}  // namespace gsan::ops
