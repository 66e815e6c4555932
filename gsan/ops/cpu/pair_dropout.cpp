#include <algorithm>
#include <atomic>

#include <ATen/Dispatch.h>
#include <ATen/ops/aminmax.h>
#include <torch/library.h>

#include "gsan/core/check.h"
#include "gsan/ops/block_pool.h"
#include "gsan/ops/cpu/dropout_kernel.h"
#include "gsan/ops/cpu/isa.h"
#include "gsan/ops/cpu/share_range.h"
#include "gsan/ops/detail/pair_dropout_checks.h"

namespace gsan::ops {
namespace {

// The pairs of all signals; false when a source is none of the simplices.
template <class T>
bool run(const DropoutArguments<T>& first, const std::int64_t* signal_keys, std::int64_t signals,
         std::int64_t pairs) {
  const DropoutKernel<T> kernel = current_build<T>(GSAN_BUILDS_OF(dropout));
  std::atomic<bool> fine = true;
  share_range(0, signals * pairs, 4096, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t s = begin / pairs; s * pairs < end; ++s) {
      DropoutArguments<T> a = first;
      a.signal_key = static_cast<std::uint32_t>(signal_keys[s]);
      a.mask += s * pairs * a.heads;
      const std::int64_t from = std::max<std::int64_t>(0, begin - s * pairs);
      if (!kernel(a, from, std::min(pairs, end - s * pairs))) fine = false;
    }
  });
  return fine;
}

at::Tensor mask_cpu(const at::Tensor& sources, const at::Tensor& shared_keys, const at::Tensor& source_keys,
                    const at::Tensor& part_keys, const at::Tensor& signal_keys, std::int64_t stream, double p,
                    std::int64_t heads, at::ScalarType type) {
  check_pair_dropout(sources, shared_keys, source_keys, part_keys, signal_keys, p, heads, type);
  const std::int64_t signals = signal_keys.size(0);
  const at::Tensor from = sources.contiguous(), shared = shared_keys.contiguous(),
                   source = source_keys.contiguous(), part = part_keys.contiguous(),
                   signal = signal_keys.contiguous();
  const std::int64_t pairs = from.size(0), simplices = source.size(0);
  const at::Tensor mask = pooled_empty({signals, pairs, heads}, sources.options().dtype(type));
  const bool fine = AT_DISPATCH_FLOATING_TYPES(type, "pair_dropout_mask", [&] {
    DropoutArguments<scalar_t> a;
    a.sources = from.const_data_ptr<std::int32_t>();
    a.shared = shared.const_data_ptr<std::int32_t>();
    a.source_keys = source.const_data_ptr<std::int32_t>();
    a.part_keys = part.const_data_ptr<std::int32_t>();
    a.simplices = simplices;
    a.signal_key = 0;
    a.stream = static_cast<std::uint64_t>(stream);
    a.kept_from = smallest_kept_word(p);
    a.kept = static_cast<scalar_t>(1 / (1 - p));
    a.heads = heads;
    a.mask = mask.mutable_data_ptr<scalar_t>();
    return run(a, signal.const_data_ptr<std::int64_t>(), signals, pairs);
  });
  if (!fine) {
    const auto [smallest, largest] = at::aminmax(sources);
    fail(Fault::argument, "gsan::pair_dropout_mask: sources must name simplices, 0 ... ", simplices - 1,
         ", got ", smallest.item<std::int32_t>(), " ... ", largest.item<std::int32_t>());
  }
  return mask;
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CPU, m) { m.impl("pair_dropout_mask", mask_cpu); }

}  // namespace gsan::ops
