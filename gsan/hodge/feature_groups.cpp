#include "gsan/hodge/detail/feature_groups.h"

#include <algorithm>

#include "gsan/core/check.h"

namespace gsan {

void check_leading_dimensions(const char* who, const Tensor& a, const Tensor& b) {
  const std::int64_t shared = std::min(a.dim(), b.dim());
  for (std::int64_t d = 3; d <= shared; ++d) {
    GSAN_CHECK(a.size(-d) == b.size(-d) || a.size(-d) == 1 || b.size(-d) == 1, who,
               ": the leading dimensions (before simplices and features) of ", a.sizes(), " and ", b.sizes(),
               " do not broadcast; give each the same number of signals, or 1");
  }
}

Tensor scale_features(const char* who, const Tensor& x, const Tensor& factors) {
  GSAN_CHECK(factors.scalar_type() == x.scalar_type(), who, ": x is ", x.scalar_type(),
             " but the scaling is ", factors.scalar_type(), "; convert one of them");
  if (factors.dim() == 1) return x * factors.unsqueeze(-1);
  const std::int64_t groups = factors.size(-1), features = x.size(-1);
  check_leading_dimensions(who, x, factors);
  if (groups == 1 || groups == features) return x * factors;
  GSAN_CHECK(groups > 0 && features % groups == 0, who, ": the scaling has ", groups,
             " groups of features, so the number of features must be a multiple of ", groups, ", got ",
             features);
  return (x.unflatten(-1, {groups, features / groups}) * factors.unsqueeze(-1)).flatten(-2);
}

}  // namespace gsan
