#pragma once
// Whether some row of a list of pairs is so long that a block should take it: known after one look at a list.

#include <ATen/core/Tensor.h>

namespace gsan::ops::cuda {

/// False: no row of this list has more than heavy_degree pairs. A list is looked at once, which waits for the
/// device, and told apart by its memory, as long as that lives; while steps are captured the answer is true.
/// Lists are not changed once they are made: a list that is gets an answer that makes kernels slower, and
/// sums of its long rows come in another order.
bool may_have_heavy_rows(const at::Tensor& offsets);

}  // namespace gsan::ops::cuda
