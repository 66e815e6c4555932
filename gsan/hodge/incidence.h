#pragma once
// B_k of a complex as an operator on tensors: applied, never stored as a matrix.

#include <vector>

#include <torch/types.h>

#include "gsan/topology/complex.h"

namespace gsan {

using torch::Tensor;

/// B_k, possibly scaled: diag(r) B_k diag(c); |B_k| in its place for data without orientation (spec 9). Works
/// for every k ≥ 0: an operator whose order does not exist has zero rows or zero columns and maps to zeros.
class Incidence {
 public:
  /// Views the tables of `complex` on the CPU (no copy, storage kept alive), copies
  /// them to any other device.
  Incidence(const SimplicialComplex& complex, int k, torch::Device device = torch::kCPU);

  /// B_k of tables() as another one has them, all on one device; they are trusted.
  Incidence(int k, const std::vector<Tensor>& tables);

  int order() const { return k_; }                   ///< k
  std::int64_t rows() const { return rows_; }        ///< N_{k−1}
  std::int64_t columns() const { return columns_; }  ///< N_k
  torch::Device device() const;

  Tensor boundary(const Tensor& x) const;             ///< B x,  [..., N_k, F] → [..., N_{k−1}, F]
  Tensor coboundary(const Tensor& x) const;           ///< Bᵀ x, [..., N_{k−1}, F] → [..., N_k, F]
  Tensor absolute_boundary(const Tensor& x) const;    ///< |B| x
  Tensor absolute_coboundary(const Tensor& x) const;  ///< |B|ᵀ x

  /// diag(row) B diag(column) in place of B; row [N_{k−1}], column [N_k], either may be
  /// undefined (= ones). Differentiable in both. Scaling a scaled operator multiplies.
  ///
  /// Grouped: row [..., N_{k−1}, H], column [..., N_k, H] (H of either may be 1). Signals then have H groups
  /// of F/H consecutive features, and group h is multiplied by diag(row_h) B diag(column_h): one operator per
  /// head. Leading dimensions broadcast against those of the signal: one operator per signal.
  Incidence scaled(const Tensor& row, const Tensor& column) const;

  /// diag(row) B diag(column) for signs int8 of a re-orientation (topology/orientation.h), row [N_{k−1}],
  /// column [N_k]. They are kept apart from a scaling: absolute values and scalings ignore them.
  Incidence oriented(const Tensor& row, const Tensor& column) const;

  /// diag(r) |B_k| diag(c): the signs of B_k and of a re-orientation are dropped, those of the scaling are
  /// not.
  Incidence absolute() const;
  bool is_absolute() const { return is_absolute_; }

  // The tables of ops/incidence.h.
  const Tensor& faces() const { return faces_; }
  const Tensor& coface_offsets() const { return offsets_; }
  const Tensor& cofaces() const { return cofaces_; }
  const Tensor& coface_columns() const { return coface_columns_; }
  const Tensor& row_scale() const { return row_scale_; }
  const Tensor& column_scale() const { return column_scale_; }
  bool is_scaled() const { return row_scale_.defined() || column_scale_.defined(); }
  /// B_k or |B_k| as the tables have it.
  bool is_plain() const { return !is_scaled() && !row_signs_.defined(); }
  std::vector<Tensor> tables() const { return {faces_, offsets_, cofaces_, coface_columns_}; }

 private:
  Tensor apply(const Tensor& x, bool transposed, bool absolute) const;
  int k_;
  std::int64_t rows_, columns_;
  Tensor faces_, offsets_, cofaces_, coface_columns_;
  Tensor row_scale_, column_scale_;  // [N] or [..., N, H]; undefined = ones
  Tensor row_signs_, column_signs_;  // int8 [N]; undefined = ones
  bool is_absolute_ = false;
};

}  // namespace gsan
