#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>
#include <torch/library.h>

#include "gsan/ops/composite/pair_chunks.h"
#include "gsan/ops/detail/operand_checks.h"
#include "gsan/ops/detail/pairs_checks.h"

namespace gsan::ops {
namespace {

at::Tensor pair_sum_composite(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& offsets,
                              const at::Tensor& sources, const at::Tensor& mirror) {
  check_two_sides("gsan::pair_sum", receiver, source, offsets, sources, mirror, false);
  const at::Tensor receivers = segment_of_row(offsets, sources.size(0));
  return receiver.index_select(-2, receivers).add_(source.index_select(-2, sources));
}

at::Tensor pair_dot_composite(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& offsets,
                              const at::Tensor& sources, const at::Tensor& mirror) {
  const auto shape = check_two_sides("gsan::pair_dot", receiver, source, offsets, sources, mirror, true);
  at::Tensor scores =
      at::empty_symint(sizes_with(receiver, 3, {shape.pairs, receiver.sym_size(-2)}), receiver.options());
  for_pair_chunks(receiver, offsets, sources,
                  [&](std::int64_t first, std::int64_t count, const at::Tensor& to, const at::Tensor& from) {
                    scores.narrow(-2, first, count)
                        .copy_(receiver.index_select(-3, to).mul_(source.index_select(-3, from)).sum(-1));
                  });
  return scores;
}

at::Tensor weighted_gather_composite(const at::Tensor& weights, const at::Tensor& x,
                                     const at::Tensor& offsets, const at::Tensor& sources,
                                     const at::Tensor& mirror, bool transposed) {
  check_gather(weights, x, offsets, sources, mirror);
  at::Tensor y = at::zeros_like(x, at::MemoryFormat::Contiguous);
  for_pair_chunks(x, offsets, sources,
                  [&](std::int64_t first, std::int64_t count, const at::Tensor& to, const at::Tensor& from) {
                    at::Tensor terms = x.index_select(-3, transposed ? to : from);
                    terms.mul_(weights.narrow(-2, first, count).unsqueeze(-1));
                    y.index_add_(-3, transposed ? from : to, terms);
                  });
  return y;
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CompositeExplicitAutograd, m) {
  m.impl("pair_sum", pair_sum_composite);
  m.impl("pair_dot", pair_dot_composite);
  m.impl("weighted_gather", weighted_gather_composite);
}

}  // namespace gsan::ops
