#include "gsan/ops/narrow_products.h"

#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/core/check.h"
#include "gsan/ops/detail/narrow_products_checks.h"
#include "gsan/ops/detail/operand_checks.h"

namespace gsan::ops {
namespace {

using Product = at::Tensor(const at::Tensor&, const at::Tensor&);
using Addition = at::Tensor&(at::Tensor&, const at::Tensor&, const at::Tensor&);

void check_tall(const char* who, const at::Tensor& x, const at::Tensor& other) {
  const bool bf16 = x.is_cuda() && x.scalar_type() == at::kBFloat16;
  if (!bf16) check_signal(who, "x", x, 2, "[rows, columns]");
  GSAN_CHECK(x.dim() == 2 && other.dim() == 2 && x.is_contiguous() && x.device() == other.device() &&
                 (x.scalar_type() == other.scalar_type() || (bf16 && other.scalar_type() == at::kFloat)),
             who, ": needs contiguous matrices of one type on one device, got ", x.scalar_type(), ' ',
             x.sym_sizes(), " on ", x.device(), " and ", other.scalar_type(), ' ', other.sym_sizes(), " on ",
             other.device());
}

void check_gram(const char* who, const at::Tensor& x, const at::Tensor& y) {
  check_tall(who, x, y);
  GSAN_CHECK(y.sym_size(0) == x.sym_size(0) && y.is_contiguous(), who, ": x ", x.sym_sizes(), " and y ",
             y.sym_sizes(), " do not fit: y must be contiguous and have the rows of x");
}

}  // namespace

void check_narrow_product(const at::Tensor& x, const at::Tensor& v) {
  check_tall("gsan::narrow_product", x, v);
  GSAN_CHECK(v.sym_size(0) == x.sym_size(1), "gsan::narrow_product: x ", x.sym_sizes(), " and v ",
             v.sym_sizes(), " do not fit: v must have a row for each column of x");
}

void check_narrow_gram(const at::Tensor& x, const at::Tensor& y) { check_gram("gsan::narrow_gram", x, y); }

void check_tall_gram(const at::Tensor& x, const at::Tensor& y) { check_gram("gsan::tall_gram", x, y); }

void check_add_narrow_product(const at::Tensor& x, const at::Tensor& y, const at::Tensor& v) {
  const char* who = "gsan::add_narrow_product_";
  check_tall(who, x, y);
  check_tall(who, x, v);
  GSAN_CHECK(y.scalar_type() == v.scalar_type(), who, ": y and v must be of one type, got ", y.scalar_type(),
             " and ", v.scalar_type());
  GSAN_CHECK(y.is_contiguous() && y.sym_size(0) == x.sym_size(0) && v.sym_size(0) == x.sym_size(1) &&
                 v.sym_size(1) == y.sym_size(1),
             who, ": x ", x.sym_sizes(), ", y ", y.sym_sizes(), " and v ", v.sym_sizes(),
             " do not fit: x must have the shape of y v^T, and y be contiguous");
}

at::Tensor narrow_product(const at::Tensor& x, const at::Tensor& v) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::narrow_product", "").typed<Product>();
  return op.call(x, v);
}

at::Tensor narrow_gram(const at::Tensor& x, const at::Tensor& y) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::narrow_gram", "").typed<Product>();
  return op.call(x, y);
}

at::Tensor tall_gram(const at::Tensor& x, const at::Tensor& y) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::tall_gram", "").typed<Product>();
  return op.call(x, y);
}

void add_narrow_product(const at::Tensor& x, const at::Tensor& y, const at::Tensor& v) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::add_narrow_product_", "").typed<Addition>();
  at::Tensor changed = x;
  op.call(changed, y, v);
}

TORCH_LIBRARY_FRAGMENT(gsan, m) {
  m.def("narrow_product(Tensor x, Tensor v) -> Tensor");
  m.def("narrow_gram(Tensor x, Tensor y) -> Tensor");
  m.def("tall_gram(Tensor x, Tensor y) -> Tensor");
  m.def("add_narrow_product_(Tensor(a!) x, Tensor y, Tensor v) -> Tensor(a!)");
}

}  // namespace gsan::ops
