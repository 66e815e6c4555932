#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/ops/detail/operand_checks.h"
#include "gsan/ops/detail/pairs_checks.h"
#include "gsan/ops/pairs.h"

namespace gsan::ops {
namespace {

using Scores = at::Tensor(const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&,
                          const at::Tensor&, const at::Tensor&, double);
using Gradients = std::tuple<at::Tensor, at::Tensor, at::Tensor>;
using Backward = Gradients(const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&,
                           const at::Tensor&, const at::Tensor&, const at::Tensor&, double);

at::Tensor gatv2_scores_meta(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& v,
                             const at::Tensor& offsets, const at::Tensor& sources, const at::Tensor& mirror,
                             double negative_slope) {
  const auto shape =
      check_gatv2("gsan::gatv2_scores", receiver, source, v, offsets, sources, mirror, negative_slope);
  return at::empty_symint(sizes_with(receiver, 3, {shape.pairs, receiver.sym_size(-2)}), receiver.options());
}

Gradients gatv2_scores_backward_meta(const at::Tensor& gradient, const at::Tensor& receiver,
                                     const at::Tensor& source, const at::Tensor& v, const at::Tensor& offsets,
                                     const at::Tensor& sources, const at::Tensor& mirror,
                                     double negative_slope) {
  check_gatv2_backward(gradient, receiver, source, v, offsets, sources, mirror, negative_slope);
  const auto like = [](const at::Tensor& x) { return at::empty_symint(x.sym_sizes(), x.options()); };
  return {like(receiver), like(source), like(v)};
}

}  // namespace

at::Tensor gatv2_scores(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& v,
                        const at::Tensor& offsets, const at::Tensor& sources, const at::Tensor& mirror,
                        double negative_slope) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::gatv2_scores", "").typed<Scores>();
  return op.call(receiver, source, v, offsets, sources, mirror, negative_slope);
}

Gradients gatv2_scores_backward(const at::Tensor& gradient, const at::Tensor& receiver,
                                const at::Tensor& source, const at::Tensor& v, const at::Tensor& offsets,
                                const at::Tensor& sources, const at::Tensor& mirror, double negative_slope) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::gatv2_scores_backward", "").typed<Backward>();
  return op.call(gradient, receiver, source, v, offsets, sources, mirror, negative_slope);
}

TORCH_LIBRARY_FRAGMENT(gsan, m) {
  m.def(
      "gatv2_scores(Tensor receiver, Tensor source, Tensor v, Tensor offsets, Tensor sources, Tensor mirror,"
      " float negative_slope) -> Tensor");
  m.def(
      "gatv2_scores_backward(Tensor gradient, Tensor receiver, Tensor source, Tensor v, Tensor offsets,"
      " Tensor sources, Tensor mirror, float negative_slope) -> (Tensor, Tensor, Tensor)");
}

TORCH_LIBRARY_IMPL(gsan, Meta, m) {
  m.impl("gatv2_scores", gatv2_scores_meta);
  m.impl("gatv2_scores_backward", gatv2_scores_backward_meta);
}

}  // namespace gsan::ops
