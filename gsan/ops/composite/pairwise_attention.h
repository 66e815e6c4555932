#pragma once
// The filter of ops/attention.h pair by pair.

#include "gsan/ops/attention.h"

namespace gsan::ops {

/// attention(), in ops that differentiate any number of times: stores a few numbers per pair and head.
at::Tensor pairwise_attention(const AttentionFilter& filter, const at::Tensor& a, double negative_slope);

}  // namespace gsan::ops
