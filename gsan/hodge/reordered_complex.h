#pragma once
// A complex that is computed in another order of its simplices, for the sake of the caches, while signals and
// rows keep theirs outside: with G_k the gather of rows, the operators are B'_k = G_{k−1} B_k G_kᵀ, so that
// every layer commutes with G up to rounding. Which order that is: topology/inner_order.h.

#include <span>
#include <vector>

#include "gsan/hodge/operators.h"

namespace gsan {

/// Copies are cheap and share everything.
class ReorderedComplex {
 public:
  /// new_name: as relabel() takes it, each part's within the part.
  ReorderedComplex(const ComplexOperators& given, std::span<const Vertex> new_name);

  /// In the other order, with the orientation, the dropout keys and the device of the given ones.
  const ComplexOperators& operators() const { return operators_; }

  /// G_k x, [..., N_k, F] → the same shape; undefined stays undefined. The gradient is a gather, too: no two
  /// rows meet, and its bits depend on nothing else.
  Tensor arranged(int k, const Tensor& x) const;
  /// G_kᵀ y: what arranged() undoes.
  Tensor restored(int k, const Tensor& y) const;

 private:
  ComplexOperators operators_;
  std::vector<Tensor> places_;  // int64 [N_k] per order: the inverse of operators_.sources(k)
};

/// The order in which a model computes on these operators, made once and kept with them; nullptr where that
/// is the given one.
const ReorderedComplex* inner_order(const ComplexOperators& operators);

}  // namespace gsan
