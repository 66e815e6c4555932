#include "gsan/ops/segments.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/zeros.h>
#include <torch/library.h>

#include "gsan/core/check.h"
#include "gsan/ops/detail/operand_checks.h"
#include "gsan/ops/detail/segments_checks.h"

namespace gsan::ops {
namespace {

using Reduction = at::Tensor(const at::Tensor&, const at::Tensor&);
using Backward = at::Tensor(const at::Tensor&, const at::Tensor&, const at::Tensor&);
using Spread = at::Tensor(const at::Tensor&, const at::Tensor&, c10::SymInt);

at::Tensor softmax_meta(const at::Tensor& x, const at::Tensor& offsets) {
  check_segments("gsan::segment_softmax", x, offsets);
  return at::empty_symint(x.sym_sizes(), x.options());
}

at::Tensor softmax_backward_meta(const at::Tensor& gradient, const at::Tensor& y, const at::Tensor& offsets) {
  check_softmax_backward(gradient, y, offsets);
  return at::empty_symint(y.sym_sizes(), y.options());
}

at::Tensor sum_meta(const at::Tensor& x, const at::Tensor& offsets) {
  const auto segments = check_segments("gsan::segment_sum", x, offsets);
  return at::empty_symint(sizes_with(x, 2, {segments, x.sym_size(-1)}), x.options());
}

at::Tensor argmax_meta(const at::Tensor& x, const at::Tensor& offsets) {
  const auto segments = check_segments("gsan::segment_argmax", x, offsets);
  return at::empty_symint(sizes_with(x, 2, {segments, x.sym_size(-1)}), x.options().dtype(at::kLong));
}

at::Tensor spread_meta(const at::Tensor& x, const at::Tensor& offsets, c10::SymInt rows) {
  check_spread(x, offsets, rows);
  return at::empty_symint(sizes_with(x, 2, {rows, x.sym_size(-1)}), x.options());
}

// The two below are made of the others, and so are their gradients.

at::Tensor mean(const at::Tensor& x, const at::Tensor& offsets) {
  check_segments("gsan::segment_mean", x, offsets);
  return segment_sum(x, offsets) / offsets.diff().clamp_min(1).to(x.scalar_type()).unsqueeze(-1);
}

at::Tensor max(const at::Tensor& x, const at::Tensor& offsets) {
  const auto segments = check_segments("gsan::segment_max", x, offsets);
  if (x.sym_size(-2) == 0) return at::zeros_symint(sizes_with(x, 2, {segments, x.sym_size(-1)}), x.options());
  const at::Tensor rows = segment_argmax(x, offsets);
  return at::gather(x, -2, rows.clamp_min(0)).masked_fill(rows < 0, 0);
}

}  // namespace

c10::SymInt check_segments(const char* who, const at::Tensor& x, const at::Tensor& offsets) {
  check_signal(who, "x", x, 2, "[..., rows, columns]");
  check_table(who, "offsets", offsets, {at::kLong}, x.device());
  GSAN_CHECK(offsets.sym_size(0) >= 1, who,
             ": offsets must hold one number more than there are segments, got none");
  return offsets.sym_size(0) - 1;
}

void check_softmax_backward(const at::Tensor& gradient, const at::Tensor& y, const at::Tensor& offsets) {
  constexpr const char* who = "gsan::segment_softmax_backward";
  check_segments(who, y, offsets);
  check_companion(who, "the gradient", gradient, "the result", y, y.sym_sizes());
}

void check_spread(const at::Tensor& x, const at::Tensor& offsets, const c10::SymInt& rows) {
  const auto segments = check_segments("gsan::segment_spread", x, offsets);
  GSAN_CHECK(x.sym_size(-2) == segments, "gsan::segment_spread: x must have ", segments,
             " rows (one per segment), got ", x.sym_size(-2));
  GSAN_CHECK(rows >= 0, "gsan::segment_spread: the number of rows must not be negative, got ", rows);
}

at::Tensor segment_softmax(const at::Tensor& x, const at::Tensor& offsets) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::segment_softmax", "").typed<Reduction>();
  return op.call(x, offsets);
}

at::Tensor segment_softmax_backward(const at::Tensor& gradient, const at::Tensor& y,
                                    const at::Tensor& offsets) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::segment_softmax_backward", "").typed<Backward>();
  return op.call(gradient, y, offsets);
}

at::Tensor segment_sum(const at::Tensor& x, const at::Tensor& offsets) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::segment_sum", "").typed<Reduction>();
  return op.call(x, offsets);
}

at::Tensor segment_mean(const at::Tensor& x, const at::Tensor& offsets) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::segment_mean", "").typed<Reduction>();
  return op.call(x, offsets);
}

at::Tensor segment_max(const at::Tensor& x, const at::Tensor& offsets) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::segment_max", "").typed<Reduction>();
  return op.call(x, offsets);
}

at::Tensor segment_argmax(const at::Tensor& x, const at::Tensor& offsets) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::segment_argmax", "").typed<Reduction>();
  return op.call(x, offsets);
}

at::Tensor segment_spread(const at::Tensor& x, const at::Tensor& offsets, const c10::SymInt& rows) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::segment_spread", "").typed<Spread>();
  return op.call(x, offsets, rows);
}

at::Tensor segment_spread(const at::Tensor& x, const at::Tensor& offsets) {
  check_spread(x, offsets, 0);
  return segment_spread(x, offsets, offsets[-1].item<std::int64_t>());
}

TORCH_LIBRARY_FRAGMENT(gsan, m) {
  m.def("segment_softmax(Tensor x, Tensor offsets) -> Tensor");
  m.def("segment_softmax_backward(Tensor gradient, Tensor y, Tensor offsets) -> Tensor");
  m.def("segment_sum(Tensor x, Tensor offsets) -> Tensor");
  m.def("segment_mean(Tensor x, Tensor offsets) -> Tensor");
  m.def("segment_max(Tensor x, Tensor offsets) -> Tensor");
  m.def("segment_argmax(Tensor x, Tensor offsets) -> Tensor");
  m.def("segment_spread(Tensor x, Tensor offsets, SymInt rows) -> Tensor");
}

TORCH_LIBRARY_IMPL(gsan, Meta, m) {
  m.impl("segment_softmax", softmax_meta);
  m.impl("segment_softmax_backward", softmax_backward_meta);
  m.impl("segment_sum", sum_meta);
  m.impl("segment_argmax", argmax_meta);
  m.impl("segment_spread", spread_meta);
}

TORCH_LIBRARY_IMPL(gsan, CompositeImplicitAutograd, m) {
  m.impl("segment_mean", mean);
  m.impl("segment_max", max);
}

}  // namespace gsan::ops
