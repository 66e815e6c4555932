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

/// [rows] int64: the part of each row. Undefined for one part: a value per part, [1],
/// then broadcasts by itself.
Tensor part_of_row(std::span<const Index> offsets, torch::Device device);

/// Row r gets the value of its part: values [P] → [rows, 1], or [1, 1] for one part.
Tensor spread_over_rows(const Tensor& values, const Tensor& part_of_row);

/// The largest of 0 and the rows of each part: x [rows] → [P].
Tensor largest_per_part(const Tensor& x, const Tensor& part_of_row, std::int64_t parts);

}  // namespace gsan
