#include <atomic>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/ops/aminmax.h>
#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/core/check.h"
#include "gsan/core/random.h"
#include "gsan/ops/pair_dropout_checks.h"

namespace gsan::ops {
namespace {

struct Keys {
  const std::int32_t *sources, *shared, *source, *part;
  const std::int64_t* signal;
  std::int64_t pairs, simplices;
};

// False when a source is none of the simplices.
template <class T>
bool run(const Keys& keys, std::int64_t signals, std::uint64_t stream, double p, std::int64_t heads,
         T* mask) {
  const std::int64_t kept_from = smallest_kept_word(p);
  const T kept = static_cast<T>(1 / (1 - p));
  std::atomic<bool> fine = true;
  at::parallel_for(0, signals * keys.pairs, 1024, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t n = begin; n < end; ++n) {
      const std::int64_t e = n % keys.pairs;
      const std::int32_t j = keys.sources[e];
      if (j < 0 || j >= keys.simplices) {
        fine = false;
        return;
      }
      const RandomBlock counter = {
          static_cast<std::uint32_t>(keys.source[j]), static_cast<std::uint32_t>(keys.shared[e]),
          static_cast<std::uint32_t>(keys.part[j]), static_cast<std::uint32_t>(keys.signal[n / keys.pairs])};
      RandomBlock words{};
      for (std::int64_t h = 0; h < heads; ++h) {
        if (h % 4 == 0) {
          const std::uint64_t key = stream + static_cast<std::uint64_t>(h / 4);
          words = philox(counter, {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)});
        }
        mask[n * heads + h] = words[static_cast<std::size_t>(h % 4)] >= kept_from ? kept : T(0);
      }
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
  const Keys keys{from.const_data_ptr<std::int32_t>(),
                  shared.const_data_ptr<std::int32_t>(),
                  source.const_data_ptr<std::int32_t>(),
                  part.const_data_ptr<std::int32_t>(),
                  signal.const_data_ptr<std::int64_t>(),
                  from.size(0),
                  source.size(0)};
  const at::Tensor mask = at::empty({signals, keys.pairs, heads}, sources.options().dtype(type));
  const bool fine = AT_DISPATCH_FLOATING_TYPES(type, "pair_dropout_mask", [&] {
    return run(keys, signals, static_cast<std::uint64_t>(stream), p, heads,
               mask.mutable_data_ptr<scalar_t>());
  });
  if (!fine) {
    const auto [smallest, largest] = at::aminmax(sources);
    fail(Fault::argument, "gsan::pair_dropout_mask: sources must name simplices, 0 ... ", keys.simplices - 1,
         ", got ", smallest.item<std::int32_t>(), " ... ", largest.item<std::int32_t>());
  }
  return mask;
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CPU, m) { m.impl("pair_dropout_mask", mask_cpu); }

}  // namespace gsan::ops
