#pragma once
// The structure, mask and signs of ops/attention_powers.h as one list of pairs with a factor each, whichever
// form they have. O(pairs) numbers.

#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

namespace gsan::ops {

struct ListedPairs {
  at::Tensor offsets, sources;        ///< as in ops/pairs.h; over stars by increasing source
  std::optional<at::Tensor> factors;  ///< mask times sign, [..., E, H] or [E, 1]; nothing: ones
};

/// `type` is that of the factors.
ListedPairs list_pairs(const std::vector<at::Tensor>& structure, const std::optional<at::Tensor>& mask,
                       const std::optional<at::Tensor>& signs, at::ScalarType type);

/// The number of the pair (j, i) of each pair (i, j) of a symmetric list, by sorting: int64 [E].
at::Tensor mirror_of(const ListedPairs& pairs);

}  // namespace gsan::ops
