#pragma once
// No torch here: the implementation is compiled once per instruction set.

#include <cstdint>

#include "gsan/ops/cpu/kernel_builds.h"

namespace gsan::ops {

/// v is [C, K]: the columns one after the other.
template <class T>
struct NarrowKernels {
  /// to [rows, C] = x v
  void (*product)(const T* x, std::int64_t rows, std::int64_t K, const T* v, std::int64_t C, T* to);
  /// to [C, K] = yᵀ x, for y [rows, C]
  void (*gram)(const T* x, std::int64_t rows, std::int64_t K, const T* y, std::int64_t C, T* to);
  /// x += y vᵀ
  void (*add)(T* x, std::int64_t rows, std::int64_t K, const T* y, std::int64_t C, const T* v);
};

GSAN_DECLARE_KERNEL(narrow_products, NarrowKernels);

}  // namespace gsan::ops
