#include "gsan/hodge/parts.h"

#include <algorithm>

#include "gsan/core/check.h"

namespace gsan {

void check_parts(const char* who, std::span<const Index> offsets, std::int64_t rows) {
  if (offsets.empty()) return;
  GSAN_CHECK(offsets.front() == 0 && offsets.back() == rows && std::is_sorted(offsets.begin(), offsets.end()),
             who, ": the offsets of the parts must increase from 0 to the number of rows ", rows, ", got ",
             offsets.size(), " offsets from ", offsets.front(), " to ", offsets.back());
}

Tensor part_of_row(std::span<const Index> offsets, torch::Device device) {
  if (offsets.size() <= 2) return {};
  const Tensor ends = torch::tensor(at::ArrayRef<Index>(offsets.data(), offsets.size()), torch::kInt64);
  return torch::repeat_interleave(ends.diff()).to(device);
}

Tensor spread_over_rows(const Tensor& values, const Tensor& part_of_row) {
  return (part_of_row.defined() ? values.index_select(0, part_of_row) : values).unsqueeze(-1);
}

Tensor largest_per_part(const Tensor& x, const Tensor& part_of_row, std::int64_t parts) {
  const Tensor index =
      part_of_row.defined() ? part_of_row : torch::zeros({x.size(0)}, x.options().dtype(torch::kInt64));
  return torch::zeros({parts}, x.options()).scatter_reduce_(0, index, x, "amax");
}

}  // namespace gsan
