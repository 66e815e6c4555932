#include "gsan/ops/tall_products.h"

#include <torch/library.h>

#include "gsan/core/check.h"
#include "gsan/ops/detail/tall_products_checks.h"

namespace gsan::ops {
namespace {

using Three = std::tuple<at::Tensor, at::Tensor, at::Tensor>;
using Forward = std::tuple<at::Tensor, at::Tensor>(const at::Tensor&, const at::Tensor&, const at::Tensor&);
using Backward = Three(const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&,
                       const at::Tensor&, std::array<bool, 2>);

void check_matrix(const char* who, const char* name, const at::Tensor& m, const at::Tensor& x,
                  std::int64_t rows) {
  GSAN_CHECK(m.dim() == 2 && m.size(0) == rows && m.is_contiguous() && m.device() == x.device(), who, ": ",
             name, " must be a contiguous matrix of ", rows, " rows on ", x.device(), ", got ", m.sizes(),
             " on ", m.device());
}

}  // namespace

void check_tall_products(const char* who, const at::Tensor& x, const at::Tensor& weight,
                         const at::Tensor& projection) {
  GSAN_CHECK(x.dim() == 2 && x.is_contiguous(), who, ": x must be a contiguous matrix, got ", x.sizes());
  check_matrix(who, "weight", weight, x, x.size(1));
  check_matrix(who, "projection", projection, x, x.size(1));
}

void check_tall_products_backward(const at::Tensor& of_products, const at::Tensor& of_scores,
                                  const at::Tensor& x, const at::Tensor& weight,
                                  const at::Tensor& projection) {
  const char* who = "gsan::tall_products_backward";
  check_tall_products(who, x, weight, projection);
  check_matrix(who, "of_products", of_products, x, x.size(0));
  check_matrix(who, "of_scores", of_scores, x, x.size(0));
  GSAN_CHECK(of_products.size(1) == weight.size(1) && of_scores.size(1) == projection.size(1), who,
             ": the gradients ", of_products.sizes(), " and ", of_scores.sizes(), " do not fit weight ",
             weight.sizes(), " and projection ", projection.sizes());
}

TallProducts tall_products(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& projection) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::tall_products", "").typed<Forward>();
  auto [products, scores] = op.call(x, weight, projection);
  return {std::move(products), std::move(scores)};
}

TallGradients tall_products_backward(const at::Tensor& of_products, const at::Tensor& of_scores,
                                     const at::Tensor& x, const at::Tensor& weight,
                                     const at::Tensor& projection, std::array<bool, 2> needs) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::tall_products_backward", "").typed<Backward>();
  auto [of_x, of_weight, of_projection] = op.call(of_products, of_scores, x, weight, projection, needs);
  return {std::move(of_x), std::move(of_weight), std::move(of_projection)};
}

TORCH_LIBRARY_FRAGMENT(gsan, m) {
  m.def("tall_products(Tensor x, Tensor weight, Tensor projection) -> (Tensor, Tensor)");
  m.def(
      "tall_products_backward(Tensor of_products, Tensor of_scores, Tensor x, Tensor weight,"
      " Tensor projection, bool[2] needs) -> (Tensor, Tensor, Tensor)");
}

}  // namespace gsan::ops
