#include "gsan/ops/cuda/pairs.h"

#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/ops/cuda/pair_lists.h"
#include "gsan/ops/detail/operand_checks.h"
#include "gsan/ops/detail/pairs_checks.h"

namespace gsan::ops {
namespace {

at::Tensor pair_sum_cuda(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& offsets,
                         const at::Tensor& sources, const at::Tensor& mirror) {
  const auto shape = check_two_sides("gsan::pair_sum", receiver, source, offsets, sources, mirror, false);
  const cuda::Launch launch(receiver);
  const at::Tensor y =
      at::empty_symint(sizes_with(receiver, 2, {shape.pairs, receiver.sym_size(-1)}), receiver.options());
  const cuda::PairTensors pairs(offsets, sources, {}, cuda::signal_count(receiver, 2), receiver.size(-1), 1);
  const at::Tensor r = cuda::with_rows(receiver), s = cuda::with_rows(source);
  cuda::with_real(y, [&]<class T>(T) {
    cuda::launch_pair_sum(pairs.list, cuda::rows_of<T>(r), cuda::rows_of<T>(s), cuda::writable<T>(y),
                          launch.stream);
  });
  return y;
}

at::Tensor pair_dot_cuda(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& offsets,
                         const at::Tensor& sources, const at::Tensor& mirror) {
  const auto shape = check_two_sides("gsan::pair_dot", receiver, source, offsets, sources, mirror, true);
  const cuda::Launch launch(receiver);
  const at::Tensor y =
      at::empty_symint(sizes_with(receiver, 3, {shape.pairs, receiver.sym_size(-2)}), receiver.options());
  const cuda::PairTensors pairs(offsets, sources, {}, cuda::signal_count(receiver, 3), receiver.size(-2),
                                receiver.size(-1));
  const at::Tensor r = cuda::aligned_rows(receiver, 2), s = cuda::aligned_rows(source, 2);
  cuda::with_real(y, [&]<class T>(T) {
    cuda::launch_pair_scores<T>(pairs.list, cuda::rows_of<T>(r, 2), cuda::rows_of<T>(s, 2), nullptr, 0,
                                cuda::writable<T>(y), launch.stream);
  });
  return y;
}

at::Tensor weighted_gather_cuda(const at::Tensor& weights, const at::Tensor& x, const at::Tensor& offsets,
                                const at::Tensor& sources, const at::Tensor& mirror, bool transposed) {
  check_gather(weights, x, offsets, sources, mirror);
  const cuda::Launch launch(x);
  const at::Tensor y = at::empty(x.sizes(), x.options());
  const cuda::PairTensors pairs(offsets, sources, transposed ? mirror : at::Tensor(),
                                cuda::signal_count(x, 3), x.size(-2), x.size(-1));
  const at::Tensor w = weights.contiguous(), from = cuda::aligned_rows(x, 2);
  cuda::with_real(y, [&]<class T>(T) {
    cuda::launch_weighted_gather(pairs.list, cuda::data<T>(w), cuda::rows_of<T>(from, 2),
                                 cuda::writable<T>(y), launch.stream);
  });
  return y;
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CUDA, m) {
  m.impl("pair_sum", pair_sum_cuda);
  m.impl("pair_dot", pair_dot_cuda);
  m.impl("weighted_gather", weighted_gather_cuda);
}

}  // namespace gsan::ops
