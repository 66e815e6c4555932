#pragma once
// A complex that is computed in another order of its vertices, for the sake of the caches, while signals and
// rows keep theirs outside. The orientation is kept as well: with G_k the gather of rows, the operators are
// B'_k = G_{k−1} B_k G_kᵀ, so that every layer commutes with G up to rounding.

#include <vector>

#include "gsan/hodge/operators.h"
#include "gsan/topology/reorder.h"

namespace gsan {

/// Copies are cheap and share everything. VertexOrder::given changes nothing, at no cost.
class ReorderedComplex {
 public:
  ReorderedComplex(const SimplicialComplex& complex, VertexOrder order, const OperatorOptions& options = {});

  /// Of the reordered complex.
  const ComplexOperators& operators() const { return operators_; }

  /// G_k x, [..., N_k, F] → the same shape; undefined stays undefined.
  Tensor arranged(int k, const Tensor& x) const;
  /// G_kᵀ y: what arranged() undoes.
  Tensor restored(int k, const Tensor& y) const;
  /// Where rows of the given order are in the other one; int64 of any shape.
  Tensor places(int k, const Tensor& rows) const;
  /// A re-orientation of the complex for operators().
  Orientation arranged(const Orientation& orientation) const;

 private:
  ComplexOperators operators_;
  std::vector<Tensor> sources_;  // int64 [N_k] per order on the device: row i of G x is row sources[i] of x
  std::vector<Tensor> places_;   // its inverse; both are empty where nothing was reordered
};

}  // namespace gsan
