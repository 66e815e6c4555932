#pragma once
// The rows of a matrix in blocks that follow from its shape alone, so that sums over them have the same bits
// for any number of threads.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gsan/ops/cpu/share_range.h"

namespace gsan::ops {

struct RowBlocks {
  static constexpr std::int64_t most_blocks = 256;  // each has sums of its own
  std::int64_t rows, channels, block_rows, count;
  RowBlocks(std::int64_t all_rows, std::int64_t columns)
      : rows(all_rows),
        channels(columns),
        block_rows(std::max<std::int64_t>({1, 8192 / columns, (all_rows + most_blocks - 1) / most_blocks})),
        count((rows + block_rows - 1) / block_rows) {}

  /// f(block, its first number, its rows), by all threads.
  template <class F>
  void for_each(const F& f) const {
    share_range(0, count, 4, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t b = begin; b < end; ++b)
        f(b, b * block_rows * channels, std::min(block_rows, rows - b * block_rows));
    });
  }

  /// `width` sums, to which f(first number, rows, sums) adds in each block: those of the blocks in their
  /// order.
  template <class F>
  std::vector<double> sums(std::int64_t width, const F& f) const {
    std::vector<double> parts(static_cast<std::size_t>(count * width));
    for_each(
        [&](std::int64_t b, std::int64_t first, std::int64_t n) { f(first, n, parts.data() + b * width); });
    std::vector<double> total(static_cast<std::size_t>(width));
    for (auto part = parts.cbegin(); part != parts.cend();)
      for (double& sum : total) sum += *part++;
    return total;
  }
};

}  // namespace gsan::ops
