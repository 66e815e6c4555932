#include <tuple>

#include <ATen/ops/empty.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>
#include <torch/library.h>

#include "gsan/ops/composite/pair_chunks.h"
#include "gsan/ops/detail/operand_checks.h"
#include "gsan/ops/detail/pairs_checks.h"

namespace gsan::ops {
namespace {

at::Tensor gatv2_scores_composite(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& v,
                                  const at::Tensor& offsets, const at::Tensor& sources,
                                  const at::Tensor& mirror, double negative_slope) {
  const auto shape =
      check_gatv2("gsan::gatv2_scores", receiver, source, v, offsets, sources, mirror, negative_slope);
  at::Tensor scores =
      at::empty_symint(sizes_with(receiver, 3, {shape.pairs, receiver.sym_size(-2)}), receiver.options());
  for_pair_chunks(receiver, offsets, sources,
                  [&](std::int64_t first, std::int64_t count, const at::Tensor& to, const at::Tensor& from) {
                    const at::Tensor z = receiver.index_select(-3, to).add_(source.index_select(-3, from));
                    scores.narrow(-2, first, count).copy_(at::leaky_relu(z, negative_slope).mul_(v).sum(-1));
                  });
  return scores;
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> gatv2_scores_backward_composite(
    const at::Tensor& gradient, const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& v,
    const at::Tensor& offsets, const at::Tensor& sources, const at::Tensor& mirror, double negative_slope) {
  check_gatv2_backward(gradient, receiver, source, v, offsets, sources, mirror, negative_slope);
  const auto zeros = [](const at::Tensor& x) { return at::zeros_like(x, at::MemoryFormat::Contiguous); };
  at::Tensor of_receiver = zeros(receiver), of_source = zeros(source), of_v = zeros(v);
  for_pair_chunks(receiver, offsets, sources,
                  [&](std::int64_t first, std::int64_t count, const at::Tensor& to, const at::Tensor& from) {
                    at::Tensor z = receiver.index_select(-3, to).add_(source.index_select(-3, from));
                    const at::Tensor g = gradient.narrow(-2, first, count).unsqueeze(-1);
                    at::Tensor slopes = at::where(z > 0, g, g * negative_slope);  // g LReLU'(z)
                    of_v.add_(z.mul_(slopes).flatten(0, -3).sum(0));
                    slopes.mul_(v);
                    of_receiver.index_add_(-3, to, slopes);
                    of_source.index_add_(-3, from, slopes);
                  });
  return {of_receiver, of_source, of_v};
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CompositeExplicitAutograd, m) {
  m.impl("gatv2_scores", gatv2_scores_composite);
  m.impl("gatv2_scores_backward", gatv2_scores_backward_composite);
}

}  // namespace gsan::ops
