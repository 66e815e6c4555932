#pragma once
// What every backend of ops/narrow_products.h checks first.

#include <ATen/core/Tensor.h>

namespace gsan::ops {

void check_narrow_product(const at::Tensor& x, const at::Tensor& v);
void check_narrow_gram(const at::Tensor& x, const at::Tensor& y);
void check_tall_gram(const at::Tensor& x, const at::Tensor& y);
void check_add_narrow_product(const at::Tensor& x, const at::Tensor& y, const at::Tensor& v);

}  // namespace gsan::ops
