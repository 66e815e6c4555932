#pragma once
// Passes over the rows of a batch that is normalised (ops/row_norm.h), and over those of its gradient. No
// torch here: the implementation is compiled once per instruction set.

#include <cstdint>

#include "gsan/ops/cpu/kernel_builds.h"

namespace gsan::ops {

/// x̂ = (x − mean) scale, [C] each.
struct ColumnScale {
  const double *mean, *scale;
};

/// x, g, y [rows, C]; sums are [C] and are added to.
template <class T>
struct RowNormKernels {
  void (*add_rows)(const T* x, std::int64_t rows, std::int64_t C, double* sums);
  /// squares += (x − mean)²
  void (*add_squares)(const T* x, std::int64_t rows, std::int64_t C, const double* mean, double* squares);
  /// y = x̂ weight + bias
  void (*normalise)(const T* x, std::int64_t rows, std::int64_t C, ColumnScale of, const T* weight,
                    const T* bias, T* y);
  /// of_bias += g, of_weight += g x̂
  void (*add_gradients)(const T* g, const T* x, std::int64_t rows, std::int64_t C, ColumnScale of,
                        double* of_bias, double* of_weight);
  /// of_x = factor (g − a − x̂ b)
  void (*back)(const T* g, const T* x, std::int64_t rows, std::int64_t C, ColumnScale of,
               const double* factor, const double* a, const double* b, T* of_x);
};

GSAN_DECLARE_KERNEL(row_norm, RowNormKernels);

}  // namespace gsan::ops
