#include "gsan/ops/cuda/pair_dropout.h"

#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/ops/cuda/tensors.h"
#include "gsan/ops/detail/pair_dropout_checks.h"
#include "gsan/ops/detail/stream_slots.h"

namespace gsan::ops {
namespace {

at::Tensor mask_cuda(const at::Tensor& sources, const at::Tensor& shared_keys, const at::Tensor& source_keys,
                     const at::Tensor& part_keys, const at::Tensor& signal_keys, std::int64_t stream,
                     double p, std::int64_t heads, at::ScalarType type) {
  check_pair_dropout(sources, shared_keys, source_keys, part_keys, signal_keys, p, heads, type);
  const cuda::Launch launch(sources);
  const at::Tensor from = sources.contiguous(), shared = shared_keys.contiguous(),
                   source = source_keys.contiguous(), part = part_keys.contiguous(),
                   signal = signal_keys.contiguous();
  const at::Tensor mask = at::empty({signal.size(0), from.size(0), heads}, sources.options().dtype(type));
  cuda::with_type("gsan::pair_dropout_mask", type, [&]<class S>(S) {
    cuda::PairDropout<S> dropout;
    dropout.sources = cuda::data<std::int32_t>(from), dropout.shared_keys = cuda::data<std::int32_t>(shared);
    dropout.source_keys = cuda::data<std::int32_t>(source);
    dropout.part_keys = cuda::data<std::int32_t>(part);
    dropout.signal_keys = cuda::data<std::int64_t>(signal);
    dropout.stream = stream, dropout.slot = device_slot(stream);
    dropout.signals = signal.size(0), dropout.pairs = from.size(0), dropout.simplices = source.size(0);
    dropout.kept_from = smallest_kept_word(p), dropout.kept = 1 / (1 - p);
    dropout.heads = static_cast<int>(heads), dropout.mask = cuda::writable<S>(mask);
    cuda::launch_pair_dropout(dropout, launch.stream);
  });
  cuda::check_launch();
  return mask;
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CUDA, m) { m.impl("pair_dropout_mask", mask_cuda); }

}  // namespace gsan::ops
