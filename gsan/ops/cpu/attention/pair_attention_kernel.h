#pragma once
// One application of the attentional operator over a pair list (ops/attention_powers.h), forward and
// backward, for one signal. No torch here: the implementation is compiled once per instruction set.
//
// Per row i and head the forward keeps {s, M, 1/Z, ±zu}: the row's maximum M of γ_ij = LReLU(s_i + t_j),
// Z = Σ_j e^{γ_ij − M}, and the share zu of Z of the branch (s_i + t_j > 0: plus, the sign of zu is +; else
// minus) with the smaller one. u_i is the part of the row's sum that this branch made; rows with zu = 0 have
// none. With that the gradient of a softmax needs no dot product per pair:
//   D_i = g_i · out_i,   ds_i = ±(1 − λ)(g_i · u_i − D_i zu),
//   dx_j = Σ_i α_ij c_ij g_i,   dt_j = x_j · Σ_i κ_ij α_ij c_ij g_i − Σ_i κ_ij α_ij D_i,   κ = LReLU'.
//
// With a sigmoid in the place of the softmax, α_ij = 1/(1 + e^{−γ_ij}), nothing ties a row together: the
// state is {s, 0, 0, 1}, u_i is the sum with the weights ω_ij = κ_ij α_ij (1 − α_ij) c_ij, and
//   ds_i = g_i · u_i,   dx_j = Σ_i α_ij c_ij g_i,   dt_j = x_j · Σ_i ω_ij g_i.

#include <cstdint>

#include "gsan/ops/cpu/kernel_builds.h"

namespace gsan::ops {

/// Rows of `stride` numbers each.
template <class T>
struct RowsOf {
  T* data = nullptr;
  std::int64_t stride = 0;
};

/// The list, already checked, and what belongs to its pairs.
template <class T>
struct AttentionPairs {
  const std::int64_t* offsets;
  const std::int32_t* sources;
  std::int64_t pairs;
  const std::int32_t* mirror;        ///< one of the two with a mask, for the backward
  const std::int64_t* wide_mirror;   ///< the other one is null
  const std::int8_t* signs;          ///< [E] or null
  const T* mask;                     ///< [E, H] or null
  RowsOf<const T> receiver, source;  ///< [N, H]
  const T* tops;                     ///< [H], the largest source; NaN when LReLU does not increase
  std::int64_t heads, features;      ///< at least 1
  T slope;
  bool sigmoid;  ///< no softmax
};

/// Weights that the first application of a call makes and the others read: [arrays, H, stride], with a slot
/// more than pairs for every row, so that row i begins at offsets[i] + i. Nothing: every application makes
/// its own.
template <class T>
struct KeptWeights {
  T* data = nullptr;
  std::int64_t stride = 0;  ///< E + N and a vector, which may be read
};

/// y = tap + A x.
template <class T>
struct AttentionForward {
  AttentionPairs<T> list;
  KeptWeights<T> kept;  ///< one array, two with u or keep_some
  RowsOf<const T> x;    ///< [N, H·F]
  RowsOf<const T> tap;  ///< null: none
  T* y;                 ///< [N, H·F]
  T* u;                 ///< [N, H·F]; null: not kept
  T* state;             ///< [N, H, 4]; null when nobody reads it
  bool first;           ///< makes `state`, which later applications read
  bool keep_some;       ///< keeps what a later call with u needs
  bool stream;          ///< y and u are large: write past the caches
  bool prefetch;        ///< x is larger than a cache
};

/// The sums over one row that the backward needs of its neighbours: {s, M, 1/Z, D}, and ds.
template <class T>
struct AttentionRows {
  RowsOf<const T> gradient;  ///< of y, [N, H·F]
  RowsOf<const T> y, tap;    ///< of the forward
  const T* u;
  const T* state;  ///< [N, H, 4]
  T* packed;       ///< [N, H, 4]
  T* of_receiver;  ///< [N, H]
  std::int64_t heads, features;
  T slope;
  bool sigmoid;
  bool add;  ///< to of_receiver, which an earlier application began
};

template <class T>
struct AttentionColumns {
  AttentionPairs<T> list;
  KeptWeights<T> kept;       ///< two arrays, three with a mask or signs
  RowsOf<const T> gradient;  ///< of y
  RowsOf<const T> x;         ///< of the forward
  const T* packed;           ///< [N, H, 4]
  RowsOf<T> of_x;
  T* of_source;  ///< [N, H]
  bool first;    ///< makes the weights and of_source, to which later applications add
  bool stream, prefetch;
};

/// All compute rows begin … end − 1, each on its own: neither the cut into ranges nor what else is computed
/// changes a bit of a row.
template <class T>
struct PairAttentionKernels {
  /// Numbers that a call needs as scratch, which may be anything when it begins.
  std::int64_t (*scratch)(std::int64_t heads, std::int64_t features);
  void (*forward)(const AttentionForward<T>&, T* scratch, std::int64_t begin, std::int64_t end);
  void (*rows)(const AttentionRows<T>&, std::int64_t begin, std::int64_t end);
  void (*columns)(const AttentionColumns<T>&, T* scratch, std::int64_t begin, std::int64_t end);
};

GSAN_DECLARE_KERNEL(pair_attention, PairAttentionKernels);

}  // namespace gsan::ops
