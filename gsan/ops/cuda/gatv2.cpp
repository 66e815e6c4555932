#include <tuple>

#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/ops/cuda/pair_lists.h"
#include "gsan/ops/detail/operand_checks.h"
#include "gsan/ops/detail/pairs_checks.h"

namespace gsan::ops {
namespace {

at::Tensor gatv2_scores_cuda(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& v,
                             const at::Tensor& offsets, const at::Tensor& sources, const at::Tensor& mirror,
                             double negative_slope) {
  const auto shape =
      check_gatv2("gsan::gatv2_scores", receiver, source, v, offsets, sources, mirror, negative_slope);
  const cuda::Launch launch(receiver);
  const at::Tensor y =
      at::empty_symint(sizes_with(receiver, 3, {shape.pairs, receiver.sym_size(-2)}), receiver.options());
  const cuda::PairTensors pairs(offsets, sources, {}, cuda::signal_count(receiver, 3), receiver.size(-2),
                                receiver.size(-1));
  const at::Tensor r = cuda::aligned_rows(receiver, 2), s = cuda::aligned_rows(source, 2),
                   c = cuda::aligned(v);
  if (c.numel() == 0) return y.zero_();  // without features there is nothing that a kernel could read
  cuda::with_real(y, [&]<class T>(T) {
    cuda::launch_pair_scores(pairs.list, cuda::rows_of<T>(r, 2), cuda::rows_of<T>(s, 2), cuda::data<T>(c),
                             static_cast<T>(negative_slope), cuda::writable<T>(y), launch.stream);
  });
  return y;
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> gatv2_scores_backward_cuda(
    const at::Tensor& gradient, const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& v,
    const at::Tensor& offsets, const at::Tensor& sources, const at::Tensor& mirror, double negative_slope) {
  check_gatv2_backward(gradient, receiver, source, v, offsets, sources, mirror, negative_slope);
  const cuda::Launch launch(receiver);
  const at::Tensor of_receiver = at::empty(receiver.sizes(), receiver.options()),
                   of_source = at::empty(source.sizes(), source.options()),
                   of_v = at::empty(v.sizes(), v.options());
  const cuda::PairTensors pairs(offsets, sources, mirror, cuda::signal_count(receiver, 3), receiver.size(-2),
                                receiver.size(-1));
  const at::Tensor g = gradient.contiguous(), r = cuda::aligned_rows(receiver, 2),
                   s = cuda::aligned_rows(source, 2), c = cuda::aligned(v);
  const std::int64_t blocks = cuda::gatv2_blocks(pairs.list.signals, pairs.list.rows).count;
  const at::Tensor parts = at::empty({blocks, v.numel()}, v.options().dtype(at::kDouble));
  cuda::with_real(receiver, [&]<class T>(T) {
    cuda::Gatv2Gradient<T> a;
    a.list = pairs.list, a.g = cuda::data<T>(g);
    a.receiver = cuda::rows_of<T>(r, 2), a.source = cuda::rows_of<T>(s, 2);
    a.v = cuda::data<T>(c), a.slope = static_cast<T>(negative_slope);
    a.of_receiver = cuda::writable<T>(of_receiver), a.of_source = cuda::writable<T>(of_source);
    a.parts = cuda::writable<double>(parts);
    cuda::launch_gatv2_gradient(a, launch.stream);
    cuda::check_launch();
    cuda::launch_sum_parts(cuda::data<double>(parts), blocks, v.numel(), cuda::writable<T>(of_v),
                           launch.stream);
  });
  return {of_receiver, of_source, of_v};
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CUDA, m) {
  m.impl("gatv2_scores", gatv2_scores_cuda);
  m.impl("gatv2_scores_backward", gatv2_scores_backward_cuda);
}

}  // namespace gsan::ops
