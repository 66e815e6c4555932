#include "gsan/ops/cuda/segments.h"

#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/ops/cuda/tensors.h"
#include "gsan/ops/detail/operand_checks.h"
#include "gsan/ops/detail/segments_checks.h"

namespace gsan::ops {
namespace {

// Holds what a launch reads while it is launched.
struct SegmentCall {
  cuda::Launch launch;
  at::Tensor offsets, scratch;
  cuda::SegmentList list;

  SegmentCall(const at::Tensor& x, const at::Tensor& starts, std::int64_t rows, bool reduces)
      : launch(x), offsets(starts.contiguous()) {
    list.offsets = cuda::data<std::int64_t>(offsets);
    list.signals = cuda::signal_count(x, 2), list.segments = offsets.size(0) - 1;
    list.rows = rows, list.columns = x.size(-1);
    const std::int64_t numbers = reduces ? cuda::SegmentPlan(list).scratch(list) : 0;
    if (numbers > 0) scratch = at::empty({numbers}, x.options().dtype(at::kDouble));
  }
  double* memory() const { return cuda::writable<double>(scratch); }
};

at::Tensor reduced(const at::Tensor& x, const c10::SymInt& segments, at::ScalarType type) {
  return at::empty_symint(sizes_with(x, 2, {segments, x.sym_size(-1)}), x.options().dtype(type));
}

at::Tensor softmax_cuda(const at::Tensor& x, const at::Tensor& offsets) {
  check_segments("gsan::segment_softmax", x, offsets);
  const SegmentCall call(x, offsets, x.size(-2), true);
  const at::Tensor from = x.contiguous(), y = at::empty(x.sizes(), x.options());
  cuda::with_real(x, [&]<class T>(T) {
    cuda::launch_segment_softmax(cuda::data<T>(from), cuda::writable<T>(y), call.list, call.memory(),
                                 call.launch.stream);
  });
  return y;
}

at::Tensor softmax_backward_cuda(const at::Tensor& gradient, const at::Tensor& y, const at::Tensor& offsets) {
  check_softmax_backward(gradient, y, offsets);
  const SegmentCall call(y, offsets, y.size(-2), true);
  const at::Tensor g = gradient.contiguous(), values = y.contiguous(), to = at::empty(y.sizes(), y.options());
  cuda::with_real(y, [&]<class T>(T) {
    cuda::launch_segment_softmax_backward(cuda::data<T>(g), cuda::data<T>(values), cuda::writable<T>(to),
                                          call.list, call.memory(), call.launch.stream);
  });
  return to;
}

at::Tensor sum_cuda(const at::Tensor& x, const at::Tensor& offsets) {
  const auto segments = check_segments("gsan::segment_sum", x, offsets);
  const SegmentCall call(x, offsets, x.size(-2), true);
  const at::Tensor from = x.contiguous(), to = reduced(x, segments, x.scalar_type());
  cuda::with_real(x, [&]<class T>(T) {
    cuda::launch_segment_sum(cuda::data<T>(from), cuda::writable<T>(to), call.list, call.memory(),
                             call.launch.stream);
  });
  return to;
}

at::Tensor argmax_cuda(const at::Tensor& x, const at::Tensor& offsets) {
  const auto segments = check_segments("gsan::segment_argmax", x, offsets);
  const SegmentCall call(x, offsets, x.size(-2), true);
  const at::Tensor from = x.contiguous(), to = reduced(x, segments, at::kLong);
  cuda::with_real(x, [&]<class T>(T) {
    cuda::launch_segment_argmax(cuda::data<T>(from), cuda::writable<std::int64_t>(to), call.list,
                                call.memory(), call.launch.stream);
  });
  return to;
}

at::Tensor spread_cuda(const at::Tensor& x, const at::Tensor& offsets, c10::SymInt rows) {
  check_spread(x, offsets, rows);
  const SegmentCall call(x, offsets, rows.expect_int(), false);
  const at::Tensor from = x.contiguous(), y = reduced(x, rows, x.scalar_type());
  cuda::with_real(x, [&]<class T>(T) {
    cuda::launch_segment_spread(cuda::data<T>(from), cuda::writable<T>(y), call.list, call.launch.stream);
  });
  return y;
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CUDA, m) {
  m.impl("segment_softmax", softmax_cuda);
  m.impl("segment_softmax_backward", softmax_backward_cuda);
  m.impl("segment_sum", sum_cuda);
  m.impl("segment_argmax", argmax_cuda);
  m.impl("segment_spread", spread_cuda);
}

}  // namespace gsan::ops
