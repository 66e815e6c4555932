#include "gsan/hodge/attention_shift.h"

#include <utility>

#include "gsan/core/check.h"
#include "gsan/ops/pairs.h"

namespace gsan {

AttentionShift::AttentionShift(Neighborhood neighborhood, Tensor weights)
    : neighborhood_(std::move(neighborhood)), weights_(std::move(weights)) {
  GSAN_CHECK(weights_.defined(), "AttentionShift: the weights are undefined; pass one per pair and head");
  GSAN_CHECK(weights_.dim() >= 2, "AttentionShift: weights must have the shape [..., ", neighborhood_.pairs(),
             ", heads], got ", weights_.sizes());
  GSAN_CHECK(weights_.size(-2) == neighborhood_.pairs(), "AttentionShift: the neighbourhood has ",
             neighborhood_.pairs(), " pairs but the weights have ", weights_.size(-2), " rows");
  GSAN_CHECK(weights_.size(-1) > 0, "AttentionShift: the weights must have at least one head, got shape ",
             weights_.sizes());
}

Tensor AttentionShift::apply(const Tensor& x) const {
  const std::int64_t rows = neighborhood_.simplices(), heads = weights_.size(-1);
  GSAN_CHECK(x.defined(), "AttentionShift::apply: x is undefined; pass a signal on the ", rows, " simplices");
  GSAN_CHECK(x.dim() >= 2, "AttentionShift::apply: x must have the shape [..., ", rows, ", features], got ",
             x.sizes());
  GSAN_CHECK(x.size(-2) == rows, "AttentionShift::apply: x must have ", rows,
             " rows (the simplices of the neighbourhood), got ", x.size(-2));
  GSAN_CHECK(x.size(-1) % heads == 0, "AttentionShift::apply: the features of x must split into ", heads,
             " heads, got ", x.size(-1), " features");
  GSAN_CHECK(x.sizes().slice(0, x.dim() - 2) == weights_.sizes().slice(0, weights_.dim() - 2),
             "AttentionShift::apply: x and the weights must have the same leading dimensions, got shapes ",
             x.sizes(), " and ", weights_.sizes());
  const Tensor y = ops::weighted_gather(weights_, x.unflatten(-1, {heads, x.size(-1) / heads}),
                                        neighborhood_.offsets, neighborhood_.sources, neighborhood_.mirror);
  return y.flatten(-2);
}

}  // namespace gsan
