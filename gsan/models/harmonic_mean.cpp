#include "gsan/models/harmonic_mean.h"

#include "gsan/core/check.h"
#include "gsan/nn/row_tuples.h"

namespace gsan {

Tensor harmonic_mean(const Tensor& x, const Tensor& tuples) {
  const Tensor values = gather_tuples("harmonic_mean", x, tuples);  // [..., M, t, F]
  GSAN_CHECK(x.is_floating_point(), "harmonic_mean: x must be of a float type, got ", x.scalar_type());
  GSAN_CHECK(tuples.size(1) >= 1, "harmonic_mean: a tuple needs at least one simplex, got tuples ",
             tuples.sizes());
  GSAN_CHECK(!(values < 0).any().item<bool>(),
             "harmonic_mean: features must not be negative; pass weights or counts");
  // Zeros are replaced before the division, so that no gradient becomes NaN.
  const Tensor is_zero = values == 0;
  const Tensor mean =
      static_cast<double>(tuples.size(1)) / values.masked_fill(is_zero, 1).reciprocal().sum(-2);
  return mean.masked_fill(is_zero.any(-2), 0);
}

}  // namespace gsan
