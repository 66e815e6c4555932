// Narrow products on a device without kernels of its own: torch's matrix products.

#include <ATen/ops/mm.h>
#include <torch/library.h>

#include "gsan/ops/detail/narrow_products_checks.h"

namespace gsan::ops {
namespace {

at::Tensor product_composite(const at::Tensor& x, const at::Tensor& v) {
  check_narrow_product(x, v);
  return at::mm(x, v);
}

at::Tensor gram_composite(const at::Tensor& x, const at::Tensor& y) {
  check_narrow_gram(x, y);
  return at::mm(x.t(), y);
}

at::Tensor tall_composite(const at::Tensor& x, const at::Tensor& y) {
  check_tall_gram(x, y);
  return at::mm(x.t(), y);
}

at::Tensor& add_composite(at::Tensor& x, const at::Tensor& y, const at::Tensor& v) {
  check_add_narrow_product(x, y, v);
  return x.addmm_(y, v.t());
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CompositeExplicitAutograd, m) {
  m.impl("narrow_product", product_composite);
  m.impl("narrow_gram", gram_composite);
  m.impl("tall_gram", tall_composite);
  m.impl("add_narrow_product_", add_composite);
}

}  // namespace gsan::ops
