#include "gsan/hodge/bounded_shift.h"

#include "gsan/hodge/detail/feature_groups.h"
#include "gsan/hodge/parts.h"
#include "gsan/hodge/spectral/lambda.h"

namespace gsan {

BoundedShift::BoundedShift(const Incidence& lower, const Incidence& upper, Side side,
                           std::span<const Index> parts)
    : laplacian_(lower, upper, side) {
  const std::int64_t rows = lower.columns();
  row_factor_ = spread_over_rows(inverse_bound(lambda_bound(lower, upper, parts)),
                                 part_offsets(parts, rows, lower.device()), rows);
}

Tensor BoundedShift::apply(const Tensor& x) const {
  return scale_features("BoundedShift::apply", laplacian_.apply(x), row_factor_.to(x.scalar_type()));
}

}  // namespace gsan
