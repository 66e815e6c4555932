// gatv2_scores is differentiable once: its backward op recomputes what it needs pair by pair and has no
// gradient of its own, which is an error when somebody asks for it, not before.

#include <algorithm>

#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "gsan/core/check.h"
#include "gsan/ops/autograd/recording.h"
#include "gsan/ops/pairs.h"

namespace gsan::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using Gradients = std::tuple<at::Tensor, at::Tensor, at::Tensor>;

struct Gatv2Scores : torch::autograd::Function<Gatv2Scores> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& receiver, const at::Tensor& source,
                            const at::Tensor& v, const at::Tensor& offsets, const at::Tensor& sources,
                            const at::Tensor& mirror, double negative_slope) {
    at::AutoDispatchBelowADInplaceOrView below;
    ctx->set_materialize_grads(false);
    ctx->save_for_backward({receiver, source, v, offsets, sources, mirror});
    ctx->saved_data["negative_slope"] = negative_slope;
    return gatv2_scores(receiver, source, v, offsets, sources, mirror, negative_slope);
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const WithoutAutocast types_of_forward;
    if (!gradients[0].defined()) return variable_list(7);
    const auto saved = ctx->get_saved_variables();
    auto [of_receiver, of_source, of_v] =
        gatv2_scores_backward(gradients[0], saved[0], saved[1], saved[2], saved[3], saved[4], saved[5],
                              ctx->saved_data["negative_slope"].toDouble());
    return {of_receiver, of_source, of_v, {}, {}, {}, {}};
  }
};

struct Gatv2ScoresBackward : torch::autograd::Function<Gatv2ScoresBackward> {
  static variable_list forward(AutogradContext* ctx, const at::Tensor& gradient, const at::Tensor& receiver,
                               const at::Tensor& source, const at::Tensor& v, const at::Tensor& offsets,
                               const at::Tensor& sources, const at::Tensor& mirror, double negative_slope) {
    at::AutoDispatchBelowADInplaceOrView below;
    ctx->set_materialize_grads(false);
    auto [of_receiver, of_source, of_v] =
        gatv2_scores_backward(gradient, receiver, source, v, offsets, sources, mirror, negative_slope);
    return {of_receiver, of_source, of_v};
  }

  static variable_list backward(AutogradContext*, const variable_list& gradients) {
    if (std::none_of(gradients.begin(), gradients.end(), [](const at::Tensor& g) { return g.defined(); }))
      return variable_list(8);
    fail(Fault::argument,
         "gsan::gatv2_scores: differentiable once, but its gradient was differentiated again; "
         "use the mechanism gat or dot where second derivatives are needed");
  }
};

at::Tensor gatv2_scores_autograd(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& v,
                                 const at::Tensor& offsets, const at::Tensor& sources,
                                 const at::Tensor& mirror, double negative_slope) {
  if (records(receiver, source, v))
    return Gatv2Scores::apply(receiver, source, v, offsets, sources, mirror, negative_slope);
  at::AutoDispatchBelowADInplaceOrView below;
  return gatv2_scores(receiver, source, v, offsets, sources, mirror, negative_slope);
}

Gradients gatv2_scores_backward_autograd(const at::Tensor& gradient, const at::Tensor& receiver,
                                         const at::Tensor& source, const at::Tensor& v,
                                         const at::Tensor& offsets, const at::Tensor& sources,
                                         const at::Tensor& mirror, double negative_slope) {
  if (records(gradient, receiver, source, v)) {
    const variable_list of =
        Gatv2ScoresBackward::apply(gradient, receiver, source, v, offsets, sources, mirror, negative_slope);
    return {of[0], of[1], of[2]};
  }
  at::AutoDispatchBelowADInplaceOrView below;
  return gatv2_scores_backward(gradient, receiver, source, v, offsets, sources, mirror, negative_slope);
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, Autograd, m) {
  m.impl("gatv2_scores", gatv2_scores_autograd);
  m.impl("gatv2_scores_backward", gatv2_scores_backward_autograd);
}

}  // namespace gsan::ops
