#include "gsan/ops/score_projection.h"

#include <optional>

#include <torch/library.h>

namespace gsan::ops {
namespace {

using Projection = at::Tensor(const at::Tensor&, const at::Tensor&);
using Backward = at::Tensor(std::optional<at::Tensor>, const at::Tensor&, const at::Tensor&,
                            const at::Tensor&);

}  // namespace

at::Tensor score_projection(const at::Tensor& weight, const at::Tensor& a) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::score_projection", "").typed<Projection>();
  return op.call(weight, a);
}

at::Tensor score_projection_backward(const at::Tensor& of_weight, const at::Tensor& gradient,
                                     const at::Tensor& weight, const at::Tensor& a) {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("gsan::score_projection_backward_", "")
                             .typed<Backward>();
  return op.call(of_weight.defined() ? std::optional(of_weight) : std::nullopt, gradient, weight, a);
}

TORCH_LIBRARY_FRAGMENT(gsan, m) {
  m.def("score_projection(Tensor weight, Tensor a) -> Tensor");
  m.def(
      "score_projection_backward_(Tensor(a!)? of_weight, Tensor gradient, Tensor weight, Tensor a) -> "
      "Tensor");
}

}  // namespace gsan::ops
