#pragma once
// Whether some row of a list of pairs is so long that a block should take it: known after one look at a list.

#include <ATen/core/Tensor.h>

namespace gsan::ops::cuda {

/// False: no row of this list had more than heavy_degree pairs when it was first asked about, which waits for
/// the device once; a list is told apart by its memory, as long as that lives. While steps are captured, true
/// unless it is known. Only the speed of a kernel may depend on the answer.
bool may_have_heavy_rows(const at::Tensor& offsets);

}  // namespace gsan::ops::cuda
