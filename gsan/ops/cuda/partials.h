#pragma once
// The second pass of sums over many rows: each block of rows left its part, and the number of blocks follows
// from the number of rows alone, so that the order of all additions does, too.

#include "gsan/ops/cuda/numbers.h"

namespace gsan::ops::cuda {

/// How `rows` are cut: `count` blocks of `length` rows each, the last ones shorter or empty.
struct RowBlocks {
  std::int64_t count = 0, length = 0;
  RowBlocks() = default;
  RowBlocks(std::int64_t rows, std::int64_t shortest, std::int64_t most) {
    count = (rows + shortest - 1) / shortest;
    if (count > most) count = most;
    length = count > 0 ? (rows + count - 1) / count : 0;
  }
};

/// to_n = Σ_b parts_bn for parts [blocks, numbers], added in double. P and R: float and float or Bf16, double
/// and double or float.
template <class P, class R>
void launch_sum_parts(const P* parts, std::int64_t blocks, std::int64_t numbers, R* to, Stream stream);

}  // namespace gsan::ops::cuda
