// One node for a whole filter. It is differentiable once: the backward op has no gradient of its own, which
// is an error when somebody asks for it, not before.

#include "gsan/ops/attention.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "gsan/core/check.h"
#include "gsan/ops/autograd/recording.h"

namespace gsan::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using OptionalTensor = std::optional<at::Tensor>;

struct Attention : torch::autograd::Function<Attention> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& taps, const at::Tensor& receiver,
                            const at::Tensor& source, const AttentionOperands& operands) {
    at::AutoDispatchBelowADInplaceOrView below;
    auto kept = attention_forward(operands, true);
    const at::Tensor y = kept[0];
    variable_list saved = {taps, receiver, source, operands.mask.value_or(at::Tensor()),
                           operands.signs.value_or(at::Tensor())};
    saved.insert(saved.end(), operands.structure.begin(), operands.structure.end());
    saved.insert(saved.end(), kept.begin(), kept.end());
    ctx->save_for_backward(std::move(saved));
    ctx->saved_data["tables"] = static_cast<std::int64_t>(operands.structure.size());
    ctx->saved_data["first_power"] = operands.first_power;
    ctx->saved_data["negative_slope"] = operands.negative_slope;
    return y;
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    if (!gradients[0].defined()) return variable_list(4);
    const auto saved = ctx->get_saved_variables();
    const auto optional = [](const at::Tensor& x) { return x.defined() ? OptionalTensor(x) : std::nullopt; };
    const auto structure = saved.begin() + 5, kept = structure + ctx->saved_data["tables"].toInt();
    const AttentionOperands operands{saved[0],
                                     saved[1],
                                     saved[2],
                                     {structure, kept},
                                     optional(saved[3]),
                                     optional(saved[4]),
                                     ctx->saved_data["first_power"].toInt(),
                                     ctx->saved_data["negative_slope"].toDouble()};
    variable_list of = attention_backward(gradients[0], operands, {kept, saved.end()});
    of.emplace_back();
    return of;
  }
};

struct AttentionBackward : torch::autograd::Function<AttentionBackward> {
  static variable_list forward(AutogradContext*, const at::Tensor& gradient, const at::Tensor& taps,
                               const at::Tensor& receiver, const at::Tensor& source,
                               const AttentionOperands& operands, const std::vector<at::Tensor>& kept) {
    at::AutoDispatchBelowADInplaceOrView below;
    return attention_backward(gradient, operands, kept);
  }

  static variable_list backward(AutogradContext*, variable_list) {
    fail(Fault::argument,
         "gsan::attention: differentiable once, but its gradient was differentiated again; "
         "compose it of pair_sum, segment_softmax and weighted_gather where second derivatives are needed");
  }
};

at::Tensor attention_autograd(const at::Tensor& taps, const at::Tensor& receiver, const at::Tensor& source,
                              at::TensorList structure, const OptionalTensor& mask,
                              const OptionalTensor& signs, std::int64_t first_power, double negative_slope) {
  const AttentionOperands operands{taps, receiver, source,      structure.vec(),
                                   mask, signs,    first_power, negative_slope};
  if (records(taps, receiver, source)) return Attention::apply(taps, receiver, source, operands);
  at::AutoDispatchBelowADInplaceOrView below;
  return attention(operands);
}

std::vector<at::Tensor> attention_backward_autograd(const at::Tensor& gradient, const at::Tensor& taps,
                                                    const at::Tensor& receiver, const at::Tensor& source,
                                                    at::TensorList structure, const OptionalTensor& mask,
                                                    const OptionalTensor& signs, std::int64_t first_power,
                                                    double negative_slope, at::TensorList kept) {
  const AttentionOperands operands{taps, receiver, source,      structure.vec(),
                                   mask, signs,    first_power, negative_slope};
  if (records(gradient, taps, receiver, source))
    return AttentionBackward::apply(gradient, taps, receiver, source, operands, kept.vec());
  at::AutoDispatchBelowADInplaceOrView below;
  return attention_backward(gradient, operands, kept.vec());
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, Autograd, m) {
  m.impl("attention", attention_autograd);
  m.impl("attention_backward", attention_backward_autograd);
}

}  // namespace gsan::ops
