#pragma once
// The common case of pair_attention_kernels.h by leaner kernels: softmax without masks and signs, float or
// bfloat16, features a multiple of 16 bytes and at most 512.

#include "gsan/ops/cuda/attention/pair_attention_kernels.h"

namespace gsan::ops::cuda {

/// Launch what serves all rows that are not heavy; false, and nothing was done, where the call is another
/// case. All rows must begin at a multiple of 16 bytes.
template <class S>
bool launch_plain_forward(const AttentionForward<S>& call, Stream stream);
template <class S>
bool launch_plain_columns(const AttentionColumns<S>& call, Stream stream);

}  // namespace gsan::ops::cuda
