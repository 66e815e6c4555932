#pragma once
// Products of small matrices, for loops that keep their rows in a cache and cannot wait for a library to
// unpack its arguments. No torch here: the implementation is compiled once per instruction set.

#include <cstdint>

#include "gsan/ops/cpu/kernel_builds.h"

namespace gsan::ops {

/// y_ic = Σ_l a_il b_lc for `rows` × `columns` numbers, l = 0 … inner − 1; with `add` the sum begins with
/// y_ic. Every number is summed by itself in the order of l: neither the cut into rows and columns nor their
/// number changes a bit of it.
template <class T>
struct MatrixProduct {
  const T* a;
  std::int64_t a_row, a_step;  ///< numbers from one row, and from one l, to the next: either may be 1
  const T* b;
  std::int64_t b_row;  ///< from one l to the next; columns follow each other
  T* y;
  std::int64_t y_row;
  std::int64_t rows, inner, columns;
  bool add;
};

template <class T>
using MatrixKernel = void (*)(const MatrixProduct<T>&);

GSAN_DECLARE_KERNEL(matrix, MatrixKernel);

}  // namespace gsan::ops
