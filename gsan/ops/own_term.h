#pragma once
// What a simplex keeps of its own signal, by one learned number.

#include <ATen/core/Tensor.h>

namespace gsan::ops {

/// (1 + ε) x of x [..., rows, columns] and ε [1]. The gradient of ε is summed over fixed blocks of rows
/// (ops/column_sums.h): its bits do not depend on the number of threads. Differentiates twice.
at::Tensor own_term(const at::Tensor& epsilon, const at::Tensor& x);

}  // namespace gsan::ops
