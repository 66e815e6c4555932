#include "gsan/tasks/imputation/missing_rows.h"

#include <algorithm>
#include <cmath>

#include "gsan/core/check.h"

namespace gsan {

std::vector<std::int64_t> random_mask(std::int64_t rows, double percent, RandomStream stream) {
  GSAN_CHECK(percent >= 0 && percent <= 100, "random_mask: the share must lie in 0 ... 100 per cent, got ",
             percent);
  std::vector<std::int64_t> order = stream.permutation(rows);
  order.resize(static_cast<std::size_t>(std::ceil(percent * static_cast<double>(rows) / 100)));
  std::sort(order.begin(), order.end());
  return order;
}

std::vector<std::int64_t> source_mask(const ValueDataset& dataset, int order, double percent,
                                      RandomStream stream) {
  GSAN_CHECK(
      order >= 0 && order < static_cast<int>(dataset.sources.size()) && dataset.sources[order].defined(),
      "source_mask: nothing is known of the sources of order ", order, " in ", dataset.name);
  const Tensor offsets = dataset.source_offsets[order].contiguous(),
               sources = dataset.sources[order].contiguous();
  const std::int64_t rows = offsets.size(0) - 1;
  const auto* first = offsets.const_data_ptr<std::int64_t>();
  const auto* source = sources.const_data_ptr<std::int32_t>();
  std::vector<bool> is_hidden(static_cast<std::size_t>(rows));
  std::int64_t hidden = 0;
  for (const int chosen : stream.permutation(dataset.source_count)) {
    if (static_cast<double>(hidden) >= percent * static_cast<double>(rows) / 100) break;
    for (std::int64_t i = 0; i < rows; ++i) {
      if (is_hidden[i] ||
          std::find(source + first[i], source + first[i + 1], chosen) == source + first[i + 1])
        continue;
      is_hidden[i] = true;
      ++hidden;
    }
  }
  std::vector<std::int64_t> mask;
  for (std::int64_t i = 0; i < rows; ++i)
    if (is_hidden[i]) mask.push_back(i);
  return mask;
}

}  // namespace gsan
