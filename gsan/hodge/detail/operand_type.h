#pragma once
// The signals that a solver of our own may feed to an operator.

#include "gsan/hodge/incidence.h"

namespace gsan {

/// Device of B and float64; a scaled B takes the float type of its scaling only.
inline torch::TensorOptions operand_type(const Incidence& B) {
  const Tensor& scale = B.row_scale().defined() ? B.row_scale() : B.column_scale();
  return torch::TensorOptions()
      .dtype(scale.defined() ? scale.scalar_type() : torch::kFloat64)
      .device(B.device());
}

}  // namespace gsan
