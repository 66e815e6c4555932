#include <torch/library.h>

#include "gsan/ops/attention_powers.h"
#include "gsan/ops/cuda/attention/pair_attention.h"
#include "gsan/ops/cuda/attention/star_attention.h"
#include "gsan/ops/detail/attention_checks.h"

namespace gsan::ops {
namespace {

using OptionalTensor = std::optional<at::Tensor>;

std::vector<at::Tensor> attention_powers_cuda(const at::Tensor& taps, const at::Tensor& receiver,
                                              const at::Tensor& source, at::TensorList structure,
                                              const OptionalTensor& mask, const OptionalTensor& signs,
                                              std::int64_t first_power, double negative_slope, bool sigmoid,
                                              bool keep) {
  const AttentionOperands operands{taps,  receiver,    source,         structure.vec(), mask,
                                   signs, first_power, negative_slope, sigmoid};
  const AttentionShape shape = check_attention_powers("gsan::attention_powers", operands);
  if (auto nothing = trivial_attention_powers(operands, shape)) return *nothing;
  return shape.stars ? cuda::star_attention_forward(operands, keep)
                     : cuda::pair_attention_forward(operands, keep);
}

std::vector<at::Tensor> attention_powers_backward_cuda(const at::Tensor& gradient, const at::Tensor& taps,
                                                       const at::Tensor& receiver, const at::Tensor& source,
                                                       at::TensorList structure, const OptionalTensor& mask,
                                                       const OptionalTensor& signs, std::int64_t first_power,
                                                       double negative_slope, bool sigmoid,
                                                       at::TensorList kept) {
  const AttentionOperands operands{taps,  receiver,    source,         structure.vec(), mask,
                                   signs, first_power, negative_slope, sigmoid};
  const AttentionShape shape = check_attention_powers_backward(gradient, operands, kept.vec());
  if (auto nothing = trivial_attention_powers_backward(gradient, operands, shape)) return *nothing;
  return shape.stars ? cuda::star_attention_backward(gradient, operands, kept.vec())
                     : cuda::pair_attention_backward(gradient, operands, kept.vec());
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CUDA, m) {
  m.impl("attention_powers", attention_powers_cuda);
  m.impl("attention_powers_backward", attention_powers_backward_cuda);
}

}  // namespace gsan::ops
