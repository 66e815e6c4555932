#pragma once
// Kernels of ops/pairs.h. A group of threads owns a head of a row (the receiving simplex) and walks its pairs
// in order; rows of more than 512 pairs wait for the whole block. Tables are trusted. float and double.

#include "gsan/ops/cuda/partials.h"

namespace gsan::ops::cuda {

struct PairList {
  const std::int64_t* offsets = nullptr;
  const std::int32_t* sources = nullptr;
  const std::int32_t* mirror = nullptr;       ///< one of these two, where mirrored pairs are asked for
  const std::int64_t* wide_mirror = nullptr;  ///< the same in int64
  std::int64_t signals = 1, rows = 0, pairs = 0;
  int heads = 0, features = 0;
};

/// y [signals, pairs, heads] = receiver_i + source_j, for rows of `heads` numbers.
template <class T>
void launch_pair_sum(const PairList& list, const Rows<const T>& receiver, const Rows<const T>& source, T* y,
                     Stream stream);

/// y [signals, pairs, heads] = Σ_d of receiver_i source_j or, with v [heads, features], of
/// v LReLU(receiver_i + source_j). Rows as aligned_rows() makes them. Pairs behind the last offset get zeros.
template <class T>
void launch_pair_scores(const PairList& list, const Rows<const T>& receiver, const Rows<const T>& source,
                        const T* v, T slope, T* y, Stream stream);

/// y [signals, rows, heads, features] = Σ_e weights_e x_j, with a mirror in the list of the weights of
/// mirrored pairs; weights [signals, pairs, heads].
template <class T>
void launch_weighted_gather(const PairList& list, const T* weights, const Rows<const T>& x, T* y,
                            Stream stream);

template <class T>
struct Gatv2Gradient {
  PairList list;
  const T* g = nullptr;  ///< [signals, pairs, heads]
  Rows<const T> receiver, source;
  const T* v = nullptr;  ///< [heads, features]
  T slope = 0;
  T *of_receiver = nullptr, *of_source = nullptr;  ///< [signals, rows, heads, features]
  double* parts = nullptr;                         ///< [gatv2_blocks().count, heads, features] of v's
};

inline RowBlocks gatv2_blocks(std::int64_t signals, std::int64_t rows) { return {signals * rows, 64, 4096}; }

template <class T>
void launch_gatv2_gradient(const Gatv2Gradient<T>& gradient, Stream stream);

}  // namespace gsan::ops::cuda
