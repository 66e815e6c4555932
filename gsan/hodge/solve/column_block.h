#pragma once
// Several columns at once: a block is a row-major array [rows, width] of doubles with
// width 1, 2, 4 or 8, so that one pass over a sparse matrix serves all its columns and
// the inner loops have a length the compiler knows. Every column is computed as if it
// were alone, and sums run over fixed chunks: the result depends neither on the other
// columns nor on the number of threads.

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <ATen/Parallel.h>

namespace gsan {

constexpr int max_width = 8;
using Scalars = std::array<double, max_width>;  ///< one number per column

/// The smallest width that holds `columns` ≤ max_width columns.
constexpr int block_width(int columns) {
  int width = 1;
  while (width < columns) width *= 2;
  return width;
}

/// Calls f with `width` as a compile-time constant.
template <class F>
decltype(auto) with_width(int width, F&& f) {
  switch (width) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 4:
      return f(std::integral_constant<int, 4>{});
    default:
      return f(std::integral_constant<int, 8>{});
  }
}

constexpr std::int64_t chunk_rows = 4096;  ///< rows that one task sums over, whatever the width

/// f(begin, end) over chunks of the rows, in parallel.
template <class F>
void for_rows(std::int64_t rows, const F& f) {
  at::parallel_for(0, rows, chunk_rows, f);
}

/// Σ over rows of f(row, sums), where f adds to `Count` blocks of per-column sums.
template <int Width, int Count, class F>
std::array<Scalars, Count> sum_rows(std::int64_t rows, const F& f) {
  using Sums = std::array<std::array<double, Width>, Count>;
  const std::int64_t chunks = (rows + chunk_rows - 1) / chunk_rows;
  const auto sum_chunk = [&](std::int64_t chunk) {
    Sums sums{};
    const std::int64_t end = std::min(rows, (chunk + 1) * chunk_rows);
    for (std::int64_t i = chunk * chunk_rows; i < end; ++i) f(i, sums);
    return sums;
  };
  std::array<Scalars, Count> total{};
  const auto add = [&](const Sums& sums) {
    for (int s = 0; s < Count; ++s) {
      for (int c = 0; c < Width; ++c) total[s][c] += sums[s][c];
    }
  };
  if (chunks == 1) {
    add(sum_chunk(0));
    return total;
  }
  std::vector<Sums> partial(static_cast<std::size_t>(chunks));
  at::parallel_for(0, chunks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t chunk = begin; chunk < end; ++chunk) partial[chunk] = sum_chunk(chunk);
  });
  for (const Sums& sums : partial) add(sums);
  return total;
}

}  // namespace gsan
