// segment_sum and segment_spread are each other's transpose; the softmax y of x has the
// gradient y (g − spread sum(g y)): one op, or where a graph of it is asked for, ops that differentiate in
// turn.

#include "gsan/ops/segments.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "gsan/ops/autograd/recording.h"

namespace gsan::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct SegmentSum : torch::autograd::Function<SegmentSum> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& offsets) {
    at::AutoDispatchBelowADInplaceOrView below;
    ctx->set_materialize_grads(false);
    ctx->save_for_backward({offsets});
    ctx->saved_data["rows"] = x.sym_size(-2);
    return segment_sum(x, offsets);
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const WithoutAutocast types_of_forward;
    if (!gradients[0].defined()) return variable_list(2);
    return {segment_spread(gradients[0], ctx->get_saved_variables()[0], ctx->saved_data["rows"].toSymInt()),
            {}};
  }
};

struct SegmentSpread : torch::autograd::Function<SegmentSpread> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& offsets,
                            const c10::SymInt& rows) {
    at::AutoDispatchBelowADInplaceOrView below;
    ctx->set_materialize_grads(false);
    ctx->save_for_backward({offsets});
    return segment_spread(x, offsets, rows);
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const WithoutAutocast types_of_forward;
    if (!gradients[0].defined()) return variable_list(3);
    return {segment_sum(gradients[0], ctx->get_saved_variables()[0]), {}, {}};
  }
};

struct SegmentSoftmax : torch::autograd::Function<SegmentSoftmax> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& offsets) {
    at::AutoDispatchBelowADInplaceOrView below;
    ctx->set_materialize_grads(false);
    const at::Tensor y = segment_softmax(x, offsets);
    ctx->save_for_backward({y, offsets});
    return y;
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const WithoutAutocast types_of_forward;
    if (!gradients[0].defined()) return variable_list(2);
    const auto saved = ctx->get_saved_variables();
    const at::Tensor &y = saved[0], &offsets = saved[1];
    if (!at::GradMode::is_enabled()) return {segment_softmax_backward(gradients[0], y, offsets), {}};
    const at::Tensor mean = segment_sum(gradients[0] * y, offsets);
    return {y * (gradients[0] - segment_spread(mean, offsets, y.sym_size(-2))), {}};
  }
};

at::Tensor sum_autograd(const at::Tensor& x, const at::Tensor& offsets) {
  if (records(x)) return SegmentSum::apply(x, offsets);
  at::AutoDispatchBelowADInplaceOrView below;
  return segment_sum(x, offsets);
}

at::Tensor spread_autograd(const at::Tensor& x, const at::Tensor& offsets, c10::SymInt rows) {
  if (records(x)) return SegmentSpread::apply(x, offsets, rows);
  at::AutoDispatchBelowADInplaceOrView below;
  return segment_spread(x, offsets, rows);
}

at::Tensor softmax_autograd(const at::Tensor& x, const at::Tensor& offsets) {
  if (records(x)) return SegmentSoftmax::apply(x, offsets);
  at::AutoDispatchBelowADInplaceOrView below;
  return segment_softmax(x, offsets);
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, Autograd, m) {
  m.impl("segment_sum", sum_autograd);
  m.impl("segment_spread", spread_autograd);
  m.impl("segment_softmax", softmax_autograd);
  // Only called where no graph is recorded.
  m.impl("segment_softmax_backward", torch::CppFunction::makeFallthrough());
  // Row numbers have no gradient: nothing to record.
  m.impl("segment_argmax", torch::CppFunction::makeFallthrough());
}

}  // namespace gsan::ops
