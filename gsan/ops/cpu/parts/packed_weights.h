#pragma once
// All that multiplies an input of a layer, side by side: one product gives the taps of all its terms and the
// scores of those with attention (scores as x (W a), ops/score_projection.h).

#include <vector>

#include "gsan/ops/part_layer.h"

namespace gsan::ops {

/// Where the columns of a term lie. Those of terms with attention come first, then their scores.
struct TermColumns {
  std::int64_t taps;    ///< P · W columns
  std::int64_t scores;  ///< 2H columns, receivers first; −1 without attention
};

template <class T>
class PackedWeights {
 public:
  /// Of the terms that read input `input`.
  PackedWeights(const PartLayer& layer, std::size_t input);

  std::int64_t rows() const { return rows_; }        ///< F_in
  std::int64_t columns() const { return columns_; }  ///< that are used
  /// The first of them, a multiple of 64 bytes, with those that the backward pass of attention reads; none
  /// without attention.
  std::int64_t attended_columns() const { return attended_; }
  std::int64_t stride() const { return stride_; }  ///< numbers of a row, a multiple of 64 bytes
  const T* matrix() const { return matrix_.data(); }
  const T* transposed() const { return transposed_.data(); }               ///< [columns, F_in]
  const TermColumns& of(std::size_t term) const { return places_[term]; }  ///< numbered as in the layer

  /// The gradients of weight [F_in, P, H, F] and a [H, 2D] of a term, from that of the matrix.
  void unpack(const PartTerm& term, std::size_t number, const T* of_matrix, T* of_weight, T* of_a) const;

 private:
  std::int64_t rows_ = 0, columns_ = 0, attended_ = 0, stride_ = 0;
  std::vector<T> matrix_, transposed_;
  std::vector<TermColumns> places_;
};

}  // namespace gsan::ops
