#pragma once
// What every backend of ops/tall_products.h checks first: shapes, places and strides, in O(1).

#include <ATen/core/Tensor.h>

namespace gsan::ops {

void check_tall_products(const char* who, const at::Tensor& x, const at::Tensor& weight,
                         const at::Tensor& projection);
void check_tall_products_backward(const at::Tensor& of_products, const at::Tensor& of_scores,
                                  const at::Tensor& x, const at::Tensor& weight,
                                  const at::Tensor& projection);

}  // namespace gsan::ops
