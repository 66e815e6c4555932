#pragma once
// The mask of attention dropout (spec 3): a pure function of keys, so that every kernel, device
// and batch draws the same one.
//
// The mask of pair e = (i, j) is keyed by the source j and by the face or coface that i and j
// share, the self term by j alone. Keys are the numbers inside the own complex of the pair
// (a batch shifts rows, not keys), together with the number of that complex and of the signal.

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace gsan::ops {

/// 0 with probability p, else 1/(1 − p); [B, E, H] of float32 or float64 `type` (on a GPU also bfloat16), B =
/// signal_keys' length. Pair e with source j = sources[e] is kept in signal b and head h when word h % 4 of
///   philox(counter = {source_keys[j], shared_keys[e], part_keys[j], signal_keys[b]}, key = stream + h / 4)
/// is at least p · 2^32. Counter words are the low 32 bits of the keys (−1 is 0xffffffff), the key
/// is a 64-bit number, its low half first. 0 ≤ p < 1; p = 0 gives ones.
///   sources      int32 [E]
///   shared_keys  int32 [E]   number of the shared face or coface in its complex; −1 for the self term
///   source_keys  int32 [N]   number of the simplex in its complex
///   part_keys    int32 [N]   key of its complex
///   signal_keys  int64 [B]
///   stream       key of a core/random RandomStream
at::Tensor pair_dropout_mask(const at::Tensor& sources, const at::Tensor& shared_keys,
                             const at::Tensor& source_keys, const at::Tensor& part_keys,
                             const at::Tensor& signal_keys, std::int64_t stream, double p, std::int64_t heads,
                             at::ScalarType type);

}  // namespace gsan::ops
