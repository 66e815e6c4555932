// Products per head, in torch's own ops.

#include "gsan/ops/score_projection.h"

#include <torch/library.h>

#include "gsan/ops/composite/attention_scores.h"
#include "gsan/ops/detail/score_projection_checks.h"

namespace gsan::ops {
namespace {

at::Tensor projection_composite(const at::Tensor& weight, const at::Tensor& a) {
  check_score_projection(weight, a);
  return AttentionScores{weight, a}.projection();
}

at::Tensor projection_backward_composite(std::optional<at::Tensor> of_weight, const at::Tensor& gradient,
                                         const at::Tensor& weight, const at::Tensor& a) {
  check_score_projection_backward(of_weight, gradient, weight, a);
  const AttentionScores from{weight, a};
  const at::Tensor by_head = from.by_head(gradient);  // of W_h A_h, [H, F_in, 2]
  if (of_weight)
    *of_weight += from.as_weight(at::bmm(by_head, from.vectors().transpose(1, 2)), weight.size(0));
  return from.as_a(at::bmm(from.weight_by_head().transpose(1, 2), by_head));
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CompositeExplicitAutograd, m) {
  m.impl("score_projection", projection_composite);
  m.impl("score_projection_backward_", projection_backward_composite);
}

}  // namespace gsan::ops
