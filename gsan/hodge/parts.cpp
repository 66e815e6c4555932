#include "gsan/hodge/parts.h"

#include <algorithm>

#include "gsan/core/check.h"
#include "gsan/ops/segments.h"

namespace gsan {

void check_parts(const char* who, std::span<const Index> offsets, std::int64_t rows) {
  if (offsets.empty()) return;
  GSAN_CHECK(offsets.front() == 0 && offsets.back() == rows && std::is_sorted(offsets.begin(), offsets.end()),
             who, ": the offsets of the parts must increase from 0 to the number of rows ", rows, ", got ",
             offsets.size(), " offsets from ", offsets.front(), " to ", offsets.back());
}

Tensor part_offsets(std::span<const Index> offsets, std::int64_t rows, torch::Device device) {
  if (offsets.empty()) return torch::tensor({std::int64_t{0}, rows}, torch::kInt64).to(device);
  return torch::tensor(at::ArrayRef<Index>(offsets.data(), offsets.size()), torch::kInt64).to(device);
}

Tensor spread_over_rows(const Tensor& values, const Tensor& part_offsets, std::int64_t rows) {
  const Tensor columns = values.dim() == 1 ? values.unsqueeze(-1) : values;
  return part_offsets.size(0) == 2 ? columns : ops::segment_spread(columns, part_offsets, rows);
}

}  // namespace gsan
