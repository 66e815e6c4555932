#pragma once
// The parts of a disjoint union, seen from one order: part p holds the rows
// offsets[p] … offsets[p + 1] − 1. No offsets at all mean one part with every row.

#include <span>

#include <torch/types.h>

#include "gsan/topology/complex.h"

namespace gsan {

using torch::Tensor;

/// Throws unless offsets is empty or increases (weakly) from 0 to `rows`.
void check_parts(const char* who, std::span<const Index> offsets, std::int64_t rows);

inline std::int64_t count_parts(std::span<const Index> offsets) {
  return offsets.empty() ? 1 : static_cast<std::int64_t>(offsets.size()) - 1;
}

/// The offsets as a tensor, int64 [P + 1], for ops/segments.h.
Tensor part_offsets(std::span<const Index> offsets, std::int64_t rows, torch::Device device);

/// Row r gets the value of its part: values [P] or [..., P, H] → [..., rows, H]. One part keeps its
/// [..., 1, H], which broadcasts by itself.
Tensor spread_over_rows(const Tensor& values, const Tensor& part_offsets, std::int64_t rows);

}  // namespace gsan
