#pragma once
// The pass that ends a step with a Laplacian (ops/laplacian_step.h): a row of the result gathers signed sums
// from two signals, scales them and adds what is to be added. No torch here, see incidence_kernel.h.

#include "gsan/ops/cpu/incidence_kernel.h"

namespace gsan::ops {

/// y_i = base_i + α_i x_i + β_i (Σ rows of lower.x + Σ rows of upper.x)
template <class T>
struct LaplacianStepArguments {
  SignedRows<T> lower;  ///< the face table of B_k; entries null: absent
  SignedRows<T> upper;  ///< the coface lists of B_{k+1}; entries null: absent
  const T* x;           ///< [rows, features], null for α = 0
  std::int64_t x_stride;
  const T* base;  ///< [rows, features], or null
  std::int64_t base_stride;
  T alpha, beta;
  const T *row_alpha, *row_beta;  ///< [rows], or null
  T* y;                           ///< [rows, features], overwritten; neither x nor base
  std::int64_t rows, features;    ///< features at least 1
  bool absolute;                  ///< all signs +, as `lower` and `upper` have it
  bool stream;                    ///< y is large: write past the caches
};

/// Rows begin … end − 1; checked and summed as in IncidenceKernel.
template <class T>
using LaplacianStepKernel = bool (*)(const LaplacianStepArguments<T>&, std::int64_t begin, std::int64_t end);

GSAN_DECLARE_KERNEL(laplacian_step, LaplacianStepKernel);

}  // namespace gsan::ops
