// One product after the other, on a device without a kernel of its own.

#include "gsan/ops/tall_products.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <torch/library.h>

#include "gsan/ops/detail/tall_products_checks.h"
#include "gsan/ops/narrow_products.h"

namespace gsan::ops {
namespace {

std::tuple<at::Tensor, at::Tensor> products_composite(const at::Tensor& x, const at::Tensor& weight,
                                                      const at::Tensor& projection) {
  check_tall_products("gsan::tall_products", x, weight, projection);
  const bool has_scores = projection.size(1) > 0;
  return {at::mm(x, weight),
          has_scores ? narrow_product(x, projection) : at::empty({x.size(0), 0}, projection.options())};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> backward_composite(
    const at::Tensor& of_products, const at::Tensor& of_scores, const at::Tensor& x, const at::Tensor& weight,
    const at::Tensor& projection, std::array<bool, 2> needs) {
  check_tall_products_backward(of_products, of_scores, x, weight, projection);
  const at::Tensor nothing = at::empty({0}, x.options());
  std::tuple<at::Tensor, at::Tensor, at::Tensor> result{nothing, nothing, nothing};
  const bool has_scores = projection.size(1) > 0;
  if (needs[0]) {
    std::get<0>(result) = at::mm(of_products, weight.t());
    if (has_scores) add_narrow_product(std::get<0>(result), of_scores, projection);
  }
  if (needs[1]) {
    std::get<1>(result) = tall_gram(x, of_products);
    std::get<2>(result) =
        has_scores ? narrow_gram(x, of_scores) : at::empty(projection.sizes(), projection.options());
  }
  return result;
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CompositeExplicitAutograd, m) {
  m.impl("tall_products", products_composite);
  m.impl("tall_products_backward", backward_composite);
}

}  // namespace gsan::ops
