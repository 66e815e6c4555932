#pragma once
// A pair list on a device without kernels of its own: index tensors, taken some pairs at a time, so that
// what is gathered for them stays small however many pairs there are.

#include <algorithm>
#include <cstdint>
#include <optional>

#include <ATen/core/Tensor.h>
#include <ATen/ops/repeat_interleave.h>

namespace gsan::ops {

/// Numbers that one gathered tensor may hold, all signals together.
constexpr std::int64_t chunk_numbers = std::int64_t{1} << 21;

/// int64 [rows of all segments]: the segment of each row.
inline at::Tensor segment_of_row(const at::Tensor& offsets, std::int64_t rows) {
  return at::repeat_interleave(offsets.diff(), std::optional<std::int64_t>(rows));
}

/// Calls chunk(first, count, receivers, sources) for consecutive pairs; `x` [..., N, H, F] is what is
/// gathered for each.
template <class Chunk>
void for_pair_chunks(const at::Tensor& x, const at::Tensor& offsets, const at::Tensor& sources,
                     const Chunk& chunk) {
  const std::int64_t pairs = sources.size(0), rows = std::max<std::int64_t>(1, x.size(-3));
  const std::int64_t numbers_per_pair = std::max<std::int64_t>(1, x.numel() / rows);
  const std::int64_t step = std::max<std::int64_t>(1, chunk_numbers / numbers_per_pair);
  const at::Tensor receivers = segment_of_row(offsets, pairs);
  for (std::int64_t first = 0; first < pairs; first += step) {
    const std::int64_t count = std::min(step, pairs - first);
    chunk(first, count, receivers.narrow(0, first, count), sources.narrow(0, first, count));
  }
}

}  // namespace gsan::ops
