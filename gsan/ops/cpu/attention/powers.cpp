#include "gsan/ops/attention.h"

#include <ATen/ops/zeros.h>
#include <torch/library.h>

#include "gsan/ops/attention_checks.h"
#include "gsan/ops/cpu/attention/pair_attention.h"
#include "gsan/ops/cpu/attention/star_attention.h"

namespace gsan::ops {
namespace {

using OptionalTensor = std::optional<at::Tensor>;

// Without rows, features or applications there is nothing that a kernel could do.
bool is_trivial(const AttentionOperands& o, const AttentionShape& shape) {
  return o.taps.numel() == 0 || shape.applications == 0;
}

std::vector<at::Tensor> attention_forward_cpu(const at::Tensor& taps, const at::Tensor& receiver,
                                              const at::Tensor& source, at::TensorList structure,
                                              const OptionalTensor& mask, const OptionalTensor& signs,
                                              std::int64_t first_power, double negative_slope, bool keep) {
  const AttentionOperands operands{taps, receiver, source,      structure.vec(),
                                   mask, signs,    first_power, negative_slope};
  const AttentionShape shape = check_attention("gsan::attention", operands);
  if (is_trivial(operands, shape)) return {taps.select(-2, 0).clone(at::MemoryFormat::Contiguous)};
  return shape.stars ? star_attention_forward(operands, keep) : pair_attention_forward(operands, keep);
}

std::vector<at::Tensor> attention_backward_cpu(const at::Tensor& gradient, const at::Tensor& taps,
                                               const at::Tensor& receiver, const at::Tensor& source,
                                               at::TensorList structure, const OptionalTensor& mask,
                                               const OptionalTensor& signs, std::int64_t first_power,
                                               double negative_slope, at::TensorList kept) {
  const AttentionOperands operands{taps, receiver, source,      structure.vec(),
                                   mask, signs,    first_power, negative_slope};
  const AttentionShape shape = check_attention_backward(gradient, operands, kept.vec());
  if (is_trivial(operands, shape))
    return {gradient.unsqueeze(-2).expand(taps.sizes()).clone(at::MemoryFormat::Contiguous),
            at::zeros(receiver.sizes(), receiver.options()), at::zeros(source.sizes(), source.options())};
  return shape.stars ? star_attention_backward(gradient, operands, kept.vec())
                     : pair_attention_backward(gradient, operands, kept.vec());
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CPU, m) {
  m.impl("attention_forward", attention_forward_cpu);
  m.impl("attention_backward", attention_backward_cpu);
}

}  // namespace gsan::ops
