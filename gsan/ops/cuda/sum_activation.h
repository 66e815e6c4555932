#pragma once
// Kernels of ops/sum_activation.h.

#include "gsan/ops/cuda/partials.h"

namespace gsan::ops::cuda {

/// In the order of detail/sum_activation_checks.h's Nonlinearity.
enum class Activation { identity, relu, leaky_relu, elu, gelu, tanh, sigmoid };

constexpr int most_terms = 16;  ///< of one launch

/// y = σ(before + terms + bias), or without `y` only the sum, in `after`.
template <class S>
struct SumOfTerms {
  Rows<const S> terms[most_terms];
  int count = 0;
  const Compute<S>* before = nullptr;  ///< [signals, rows, columns]: the sum of the terms of earlier launches
  Compute<S>* after = nullptr;         ///< may be `before`
  const S* bias = nullptr;             ///< [columns]
  const Compute<S>* wide_bias = nullptr;  ///< the same in the type of sums; at most one of the two
  S* y = nullptr;                         ///< [signals, rows, columns]
  Activation activation = Activation::identity;
  std::int64_t signals = 1, rows = 0;
  int columns = 0;
};

/// float, double, Bf16.
template <class S>
void launch_sum_of_terms(const SumOfTerms<S>& sum, Stream stream);

inline RowBlocks activation_blocks(std::int64_t rows) { return {rows, 128, 1024}; }

/// to = g σ'(y), and with `parts` [activation_blocks(signals · rows).count, columns] the sums of its columns
/// over each block of rows. Not for gelu, whose σ' is no function of y.
template <class S>
struct ActivationGradient {
  Rows<const S> g, y;
  S* to = nullptr;  ///< [signals, rows, columns]
  double* parts = nullptr;
  Activation activation = Activation::identity;
  std::int64_t signals = 1, rows = 0;
  int columns = 0;
};

/// g, y and `to` begin at multiples of 16 bytes, and so do their rows where columns are whole vectors.
template <class S>
void launch_activation_gradient(const ActivationGradient<S>& gradient, Stream stream);

}  // namespace gsan::ops::cuda
