#pragma once
// The one kernel behind products with boundary operators, plain (ops/incidence.h), scaled
// (ops/scaled_incidence.h) and inside a step with a Laplacian (ops/laplacian_step.h):
//
//   sum_i = Σ_e ± f_e x[e] over a list, plus the same over a second list,
//   y_i = base_i + α_i own_i + β_i sum_i,   dots_ih = Σ_d other_id sum_id over the features d of group h.

#include "gsan/ops/cuda/numbers.h"

namespace gsan::ops::cuda {

/// Entries of row i: `width` of them from i · width on with signs (−1)^place, or without a width those from
/// offsets[i] to offsets[i + 1] with signs (−1)^columns.
struct SignedList {
  const std::int32_t* entries = nullptr;
  const std::int64_t* offsets = nullptr;
  const std::uint8_t* columns = nullptr;
  int width = 0;
};

/// A number per row and group, of all signals or (`signal` not 0) of each.
template <class T>
struct RowNumbers {
  const T* data = nullptr;  ///< null: ones
  std::int64_t signal = 0;
  int row = 1;  ///< 0: one number for all rows
};

template <class S>
struct SignedSums {
  SignedList list, second;
  Rows<const S> x, second_x;  ///< of the entries of each list; without data: no list
  Rows<const S> own, base;    ///< without data: nothing is added
  Rows<S> y;                  ///< without data: not wanted
  Rows<const S> other;        ///< with data: `dots` are wanted
  S* dots = nullptr;          ///< [signals, rows, groups]
  RowNumbers<S> x_factors;    ///< of the entries of the first list
  RowNumbers<S> alpha, beta;
  double common_alpha = 1, common_beta = 1;
  std::int64_t signals = 1, rows = 0;
  int features = 0, groups = 1;  ///< of all groups together
  bool absolute = false;         ///< no signs
};

/// float, double, Bf16.
template <class S>
void launch_signed_sums(const SignedSums<S>& sums, Stream stream);

}  // namespace gsan::ops::cuda
