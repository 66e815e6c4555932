// The node of attention: one for products, scores and all powers. Where a graph of its gradient is asked for,
// the gradient is made pair by pair, of ops that differentiate in turn.

#include "gsan/ops/attention.h"

#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "gsan/ops/autograd/recording.h"
#include "gsan/ops/composite/pairwise_attention.h"
#include "gsan/ops/detail/attention_signatures.h"

namespace gsan::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// A call between the passes: its tensors as saved variables, the rest as saved data.
struct SavedCall {
  AttentionFilter filter;
  at::Tensor a;
  double negative_slope;
  variable_list kept;  // empty where it is computed again

  void save(AutogradContext* ctx) const {
    variable_list tensors{filter.x, filter.weight, a, filter.signs.value_or(at::Tensor())};
    for (const auto* list : {&filter.structure, &filter.dropout.keys, &kept})
      tensors.insert(tensors.end(), list->begin(), list->end());
    ctx->save_for_backward(std::move(tensors));
    auto& data = ctx->saved_data;
    data["tables"] = static_cast<std::int64_t>(filter.structure.size());
    data["keys"] = static_cast<std::int64_t>(filter.dropout.keys.size());
    data["stream"] = filter.dropout.stream, data["p"] = filter.dropout.p;
    data["first_power"] = filter.first_power, data["negative_slope"] = negative_slope;
    data["sigmoid"] = filter.sigmoid;
  }

  explicit SavedCall(AttentionFilter filter_, at::Tensor a_, double slope, variable_list kept_)
      : filter(std::move(filter_)), a(std::move(a_)), negative_slope(slope), kept(std::move(kept_)) {}

  explicit SavedCall(AutogradContext* ctx) {
    const auto saved = ctx->get_saved_variables();
    auto& data = ctx->saved_data;
    const auto tables = saved.begin() + 4, keys = tables + data["tables"].toInt(),
               rest = keys + data["keys"].toInt();
    filter.x = saved[0], filter.weight = saved[1], a = saved[2];
    if (saved[3].defined()) filter.signs = saved[3];
    filter.structure = {tables, keys};
    filter.dropout = {{keys, rest}, data["stream"].toInt(), data["p"].toDouble()};
    filter.first_power = data["first_power"].toInt(), negative_slope = data["negative_slope"].toDouble();
    filter.sigmoid = data["sigmoid"].toBool();
    kept = {rest, saved.end()};
  }
};

struct AttentionNode : torch::autograd::Function<AttentionNode> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& weight,
                            const at::Tensor& a, const AttentionFilter& filter, double negative_slope) {
    at::AutoDispatchBelowADInplaceOrView below;
    ctx->set_materialize_grads(false);
    variable_list made = attention_forward(filter, a, negative_slope, !filter.recompute);
    const at::Tensor y = made[0];
    if (filter.recompute) made.clear();
    SavedCall(filter, a, negative_slope, std::move(made)).save(ctx);
    return y;
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const WithoutAutocast types_of_forward;
    variable_list result(5);  // x, weight, a, and what has no gradient
    if (!gradients[0].defined()) return result;
    SavedCall call(ctx);
    const std::array<bool, 3> needs{ctx->needs_input_grad(0), ctx->needs_input_grad(1),
                                    ctx->needs_input_grad(2)};
    const variable_list of = at::GradMode::is_enabled() ? differentiable(call, needs, gradients[0])
                                                        : direct(call, needs, gradients[0]);
    for (std::size_t i = 0; i < 3; ++i)
      if (needs[i]) result[i] = of[i];
    return result;
  }

  static variable_list direct(SavedCall& call, const std::array<bool, 3>& needs, const at::Tensor& gradient) {
    at::AutoDispatchBelowADInplaceOrView below;
    if (call.kept.empty()) call.kept = attention_forward(call.filter, call.a, call.negative_slope, true);
    return attention_backward(gradient, call.filter, call.a, call.negative_slope, call.kept, needs);
  }

  // Of views: an operand may be made of another (x, by the same weights before), and that path is not ours.
  static variable_list differentiable(SavedCall& call, const std::array<bool, 3>& needs,
                                      const at::Tensor& gradient) {
    at::Tensor* const all[3] = {&call.filter.x, &call.filter.weight, &call.a};
    variable_list inputs, result(3);
    for (std::size_t i = 0; i < 3; ++i) {
      if (!needs[i]) continue;
      *all[i] = all[i]->view_as(*all[i]);
      inputs.push_back(*all[i]);
    }
    const at::Tensor y = pairwise_attention(call.filter, call.a, call.negative_slope);
    const auto gradients = torch::autograd::grad({y}, inputs, {gradient}, /*retain_graph=*/true,
                                                 /*create_graph=*/true, /*allow_unused=*/true);
    for (std::size_t i = 0, next = 0; i < 3; ++i)
      if (needs[i]) result[i] = gradients[next++];
    return result;
  }
};

at::Tensor attention_autograd(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& a,
                              at::TensorList structure, at::TensorList dropout_keys, std::int64_t stream,
                              double p, const OptionalTensor& signs, std::int64_t first_power,
                              double negative_slope, bool sigmoid, bool recompute) {
  const AttentionFilter filter = attention_filter(x, weight, structure, {dropout_keys.vec(), stream, p},
                                                  signs, first_power, sigmoid, recompute);
  if (records(x, weight, a)) return AttentionNode::apply(x, weight, a, filter, negative_slope);
  at::AutoDispatchBelowADInplaceOrView below;
  return attention(filter, a, negative_slope);
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, Autograd, m) { m.impl("attention", attention_autograd); }

}  // namespace gsan::ops
