#pragma once
// xᵀ y for tall matrices with few columns each, K · C ≤ 64 · 64: what libraries of matrix products are slow
// at, because all of their parallelism would have to come from the rows.

#include "gsan/ops/cuda/partials.h"

namespace gsan::ops::cuda {

constexpr std::int64_t most_tall_numbers = 64 * 64;  ///< of the result

inline RowBlocks tall_blocks(std::int64_t rows) { return {rows, 128, 1024}; }

/// parts [tall_blocks(rows).count, K, C] for x [rows, K] and y [rows, C], contiguous from a multiple of 16
/// bytes on. S and Y: float, double, Bf16 and float, Bf16.
template <class S, class Y>
void launch_tall_gram(const S* x, const Y* y, Compute<S>* parts, std::int64_t rows, int K, int C,
                      Stream stream);

}  // namespace gsan::ops::cuda
