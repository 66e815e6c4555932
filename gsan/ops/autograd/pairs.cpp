// pair_sum, pair_dot and weighted_gather are linear in each argument, and the gradient in one of
// them is again one of these ops, called through the dispatcher: it has a gradient in turn. With
// P the E × N matrix that picks the receiver of a pair and Q the one that picks its source,
//   pair_sum = P r + Q s,   pair_dot = (P r) · (Q s),   weighted_gather = Pᵀ (w Q x), transposed Qᵀ (w P x),
//   Pᵀ = segment_sum,       Qᵀ = Pᵀ after the mirror.

#include "gsan/ops/pairs.h"

#include <ATen/ops/ones.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "gsan/ops/autograd/recording.h"
#include "gsan/ops/detail/operand_checks.h"
#include "gsan/ops/segments.h"

namespace gsan::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Qᵀ g. On a GPU in one pass over the pairs, as the transposed sum of ones with the weights g.
at::Tensor sum_by_source(const at::Tensor& g, const at::Tensor& offsets, const at::Tensor& sources,
                         const at::Tensor& mirror) {
  if (!g.is_cuda()) return segment_sum(g.index_select(-2, mirror), offsets);
  const at::Tensor ones =
      at::ones_symint(sizes_with(g, 2, {offsets.sym_size(0) - 1, g.sym_size(-1), 1}), g.options());
  return weighted_gather(g, ones, offsets, sources, mirror, true).squeeze(-1);
}

struct PairSum : torch::autograd::Function<PairSum> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& receiver, const at::Tensor& source,
                            const at::Tensor& offsets, const at::Tensor& sources, const at::Tensor& mirror) {
    at::AutoDispatchBelowADInplaceOrView below;
    ctx->set_materialize_grads(false);
    ctx->save_for_backward({offsets, sources, mirror});
    return pair_sum(receiver, source, offsets, sources, mirror);
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const WithoutAutocast types_of_forward;
    const auto tables = ctx->get_saved_variables();
    const at::Tensor& g = gradients[0];
    at::Tensor of_receiver, of_source;
    if (g.defined() && ctx->needs_input_grad(0)) of_receiver = segment_sum(g, tables[0]);
    if (g.defined() && ctx->needs_input_grad(1))
      of_source = sum_by_source(g, tables[0], tables[1], tables[2]);
    return {of_receiver, of_source, {}, {}, {}};
  }
};

struct PairDot : torch::autograd::Function<PairDot> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& receiver, const at::Tensor& source,
                            const at::Tensor& offsets, const at::Tensor& sources, const at::Tensor& mirror) {
    at::AutoDispatchBelowADInplaceOrView below;
    ctx->set_materialize_grads(false);
    ctx->save_for_backward({receiver, source, offsets, sources, mirror});
    return pair_dot(receiver, source, offsets, sources, mirror);
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const WithoutAutocast types_of_forward;
    const auto saved = ctx->get_saved_variables();
    const at::Tensor& g = gradients[0];
    at::Tensor of_receiver, of_source;
    if (g.defined() && ctx->needs_input_grad(0))
      of_receiver = weighted_gather(g, saved[1], saved[2], saved[3], saved[4], false);
    if (g.defined() && ctx->needs_input_grad(1))
      of_source = weighted_gather(g, saved[0], saved[2], saved[3], saved[4], true);
    return {of_receiver, of_source, {}, {}, {}};
  }
};

struct WeightedGather : torch::autograd::Function<WeightedGather> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& weights, const at::Tensor& x,
                            const at::Tensor& offsets, const at::Tensor& sources, const at::Tensor& mirror,
                            bool transposed) {
    at::AutoDispatchBelowADInplaceOrView below;
    ctx->set_materialize_grads(false);
    ctx->save_for_backward({weights, x, offsets, sources, mirror});
    ctx->saved_data["transposed"] = transposed;
    return weighted_gather(weights, x, offsets, sources, mirror, transposed);
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const WithoutAutocast types_of_forward;
    const auto saved = ctx->get_saved_variables();
    const bool transposed = ctx->saved_data["transposed"].toBool();
    const at::Tensor& g = gradients[0];
    const at::Tensor& x = saved[1];
    at::Tensor of_weights, of_x;
    if (g.defined() && ctx->needs_input_grad(0))
      of_weights = pair_dot(transposed ? x : g, transposed ? g : x, saved[2], saved[3], saved[4]);
    if (g.defined() && ctx->needs_input_grad(1))
      of_x = weighted_gather(saved[0], g, saved[2], saved[3], saved[4], !transposed);
    return {of_weights, of_x, {}, {}, {}, {}};
  }
};

at::Tensor pair_sum_autograd(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& offsets,
                             const at::Tensor& sources, const at::Tensor& mirror) {
  if (records(receiver, source)) return PairSum::apply(receiver, source, offsets, sources, mirror);
  at::AutoDispatchBelowADInplaceOrView below;
  return pair_sum(receiver, source, offsets, sources, mirror);
}

at::Tensor pair_dot_autograd(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& offsets,
                             const at::Tensor& sources, const at::Tensor& mirror) {
  if (records(receiver, source)) return PairDot::apply(receiver, source, offsets, sources, mirror);
  at::AutoDispatchBelowADInplaceOrView below;
  return pair_dot(receiver, source, offsets, sources, mirror);
}

at::Tensor weighted_gather_autograd(const at::Tensor& weights, const at::Tensor& x, const at::Tensor& offsets,
                                    const at::Tensor& sources, const at::Tensor& mirror, bool transposed) {
  if (records(weights, x)) return WeightedGather::apply(weights, x, offsets, sources, mirror, transposed);
  at::AutoDispatchBelowADInplaceOrView below;
  return weighted_gather(weights, x, offsets, sources, mirror, transposed);
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, Autograd, m) {
  m.impl("pair_sum", pair_sum_autograd);
  m.impl("pair_dot", pair_dot_autograd);
  m.impl("weighted_gather", weighted_gather_autograd);
}

}  // namespace gsan::ops
