#include "gsan/hodge/bounded_shift.h"

#include "gsan/hodge/detail/feature_groups.h"
#include "gsan/hodge/parts.h"
#include "gsan/hodge/spectral/lambda.h"

namespace gsan {

BoundedShift::BoundedShift(const Incidence& lower, const Incidence& upper, Side side,
                           std::span<const Index> parts)
    : BoundedShift(lower, upper, side, part_offsets(parts, lower.columns(), lower.device())) {
  check_parts("BoundedShift", parts, lower.columns());
}

BoundedShift::BoundedShift(const Incidence& lower, const Incidence& upper, Side side,
                           const Tensor& part_offsets)
    : laplacian_(lower, upper, side),
      row_factor_(spread_over_rows(inverse_bound(lambda_bound(lower, upper, part_offsets)), part_offsets,
                                   lower.columns())) {}

Tensor BoundedShift::apply(const Tensor& x) const {
  return scale_features("BoundedShift::apply", laplacian_.apply(x), row_factor_.to(x.scalar_type()));
}

}  // namespace gsan
