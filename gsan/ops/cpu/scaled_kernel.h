#pragma once
// The loop behind scaled_incidence: a row of the result is a sum of rows of x, each with a sign and a factor,
// times a factor of its own. No torch here, see incidence_kernel.h.

#include "gsan/ops/cpu/incidence_kernel.h"

namespace gsan::ops {

template <class T>
struct ScaledArguments : SignedRows<T> {
  std::int64_t rows, features, groups;  ///< features at least 1, a multiple of groups
  const T* x_factors;                   ///< [x_rows, groups], or null for ones
  const T* y_factors;                   ///< [rows, groups], or null for ones
  T* y;                                 ///< [rows, features], overwritten; or null
  const T* other;                       ///< [rows, features], contiguous; or null
  T* dots;                              ///< [rows, groups], with `other`: its products with the unscaled sums
  bool stream;                          ///< y is large: write past the caches
};

/// Rows begin … end − 1; checked and summed as in IncidenceKernel.
template <class T>
using ScaledKernel = bool (*)(const ScaledArguments<T>&, std::int64_t begin, std::int64_t end);

GSAN_DECLARE_KERNEL(scaled, ScaledKernel);

}  // namespace gsan::ops
