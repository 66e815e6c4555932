#include "gsan/ops/segments.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <torch/library.h>

#include "gsan/ops/composite/pair_chunks.h"
#include "gsan/ops/detail/operand_checks.h"
#include "gsan/ops/detail/segments_checks.h"

namespace gsan::ops {
namespace {

// The sizes of x with one row per segment.
c10::SymDimVector reduced(const at::Tensor& x, const c10::SymInt& segments) {
  return sizes_with(x, 2, {segments, x.sym_size(-1)});
}

// Largest entry per segment; zero for an empty one.
at::Tensor largest(const at::Tensor& x, const at::Tensor& segment, const c10::SymInt& segments) {
  const at::Tensor index = segment.unsqueeze(-1).expand_as(x);
  return at::zeros_symint(reduced(x, segments), x.options()).scatter_reduce_(-2, index, x, "amax", false);
}

at::Tensor sum_composite(const at::Tensor& x, const at::Tensor& offsets) {
  const auto segments = check_segments("gsan::segment_sum", x, offsets);
  return at::zeros_symint(reduced(x, segments), x.options())
      .index_add_(-2, segment_of_row(offsets, x.size(-2)), x);
}

at::Tensor spread_composite(const at::Tensor& x, const at::Tensor& offsets, c10::SymInt rows) {
  check_spread(x, offsets, rows);
  return x.index_select(-2, segment_of_row(offsets, rows.expect_int()));
}

at::Tensor softmax_composite(const at::Tensor& x, const at::Tensor& offsets) {
  const auto segments = check_segments("gsan::segment_softmax", x, offsets);
  const at::Tensor segment = segment_of_row(offsets, x.size(-2));
  at::Tensor y = (x - largest(x, segment, segments).index_select(-2, segment)).exp_();
  const at::Tensor total = at::zeros_symint(reduced(x, segments), x.options())
                               .index_add_(-2, segment, y)
                               .index_select(-2, segment);
  return y.div_(total);
}

at::Tensor softmax_backward_composite(const at::Tensor& gradient, const at::Tensor& y,
                                      const at::Tensor& offsets) {
  check_softmax_backward(gradient, y, offsets);
  const at::Tensor mean = segment_sum(gradient * y, offsets);
  return y * (gradient - segment_spread(mean, offsets, y.sym_size(-2)));
}

at::Tensor argmax_composite(const at::Tensor& x, const at::Tensor& offsets) {
  const auto segments = check_segments("gsan::segment_argmax", x, offsets);
  const std::int64_t rows = x.size(-2);
  const at::Tensor segment = segment_of_row(offsets, rows);
  const at::Tensor top = largest(x, segment, segments).index_select(-2, segment);
  const at::Tensor number = at::arange(rows, offsets.options()).unsqueeze(-1);
  const at::Tensor candidates = at::where((x == top).logical_or_(x.isnan()), number, rows);
  return at::full_symint(reduced(x, segments), -1, offsets.options())
      .scatter_reduce_(-2, segment.unsqueeze(-1).expand_as(x), candidates, "amin", false);
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CompositeExplicitAutograd, m) {
  m.impl("segment_sum", sum_composite);
  m.impl("segment_spread", spread_composite);
  m.impl("segment_softmax", softmax_composite);
  m.impl("segment_softmax_backward", softmax_backward_composite);
  m.impl("segment_argmax", argmax_composite);
}

}  // namespace gsan::ops
