#pragma once
// One application of the attentional operator over a list of pairs (ops/attention_powers.h), forward and
// backward, for all signals and heads in one launch. The formulas are those of the CPU's kernel
// (cpu/attention/pair_attention_kernel.h), with two weights for each pair:
//   forward   y_i = tap_i + Σ_j w_ij x_j,   u_i = Σ_j v_ij x_j,   w = α c,   v = w in the kept branch, else 0
//   backward  dx_j = Σ_i w_ij g_i,   dt_j = x_j · Σ_i κ_ij w_ij g_i − Σ_i κ_ij α_ij D_i
// and with a sigmoid v = κ w (1 − α) in both, without D.
//
// A group of threads owns a row and head; each of its threads makes the weights of one neighbour after the
// other and all of them gather features. A row of more than heavy_degree pairs is taken by the whole block.

#include "gsan/ops/cuda/numbers.h"

namespace gsan::ops::cuda {

/// A row of more pairs is taken by a whole block.
constexpr int heavy_degree = 512;

template <class S>
struct AttentionPairs {
  const std::int64_t* offsets = nullptr;
  const std::int32_t* sources = nullptr;
  const std::int32_t* mirror = nullptr;  ///< one of the two where there is a mask
  const std::int64_t* wide_mirror = nullptr;
  const std::int8_t* signs = nullptr;       ///< [E] or null
  const Compute<S>* mask = nullptr;         ///< [signals, E, H] or null
  Rows<const Compute<S>> receiver, source;  ///< s and t, [signals, N, H]
  std::int64_t pairs = 0, signals = 1, rows = 0;
  int heads = 1, features = 1;
  Compute<S> slope = 0;
  bool sigmoid = false;
  bool has_heavy = false;  ///< some rows may have more than heavy_degree pairs: another launch takes them
};

template <class S>
struct AttentionForward {
  AttentionPairs<S> list;
  Rows<const S> x, tap;  ///< tap without data: nothing is added
  Rows<S> y, u;          ///< u without data: not kept
  Compute<S>* state;     ///< [signals, N, H, 4]; null when nobody reads it
  /// [signals, H], the largest t of all; null: not known, or no bound of the scores (a negative slope).
  const Compute<S>* tops;
};

/// What the backward pass needs of each row: packed {s, M, 1/Z, D}, and ds.
template <class S>
struct AttentionRows {
  Rows<const S> gradient, y, tap, u;
  const Compute<S>* state;
  Compute<S>* packed;
  Compute<S>* of_receiver;  ///< [signals, N, H], rows `of_row` numbers apart
  int of_row;
  std::int64_t signals, rows;
  int heads, features;
  Compute<S> slope;
  bool sigmoid;
  bool add;  ///< to of_receiver, which an earlier application began
};

template <class S>
struct AttentionColumns {
  AttentionPairs<S> list;
  Rows<const S> gradient, x;
  const Compute<S>* packed;
  Rows<S> of_x;
  Compute<S>* of_source;  ///< [signals, N, H], rows `of_row` numbers apart
  int of_row;
  bool add;  ///< to of_source
};

/// tops [signals, H]: the largest number of each column of t. Room for signals · H · most_parts numbers
/// besides.
constexpr std::int64_t most_parts = 256;
template <class T>
void launch_largest(const Rows<const T>& t, std::int64_t signals, std::int64_t rows, int heads, T* tops,
                    T* room, Stream stream);

template <class S>
void launch_attention_forward(const AttentionForward<S>& call, Stream stream);
template <class S>
void launch_attention_rows(const AttentionRows<S>& call, Stream stream);
template <class S>
void launch_attention_columns(const AttentionColumns<S>& call, Stream stream);

}  // namespace gsan::ops::cuda
