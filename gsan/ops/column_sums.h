#pragma once
// Sums over rows whose bits do not depend on the number of threads. torch's do, for a single long column and
// for numbers of columns that leave a rest behind its vectors (36 to 39 in float32).
//
// Registered as torch.ops.gsan.column_sums for CPU, Autograd and Meta, torch's sum on any other device.

#include <ATen/core/Tensor.h>

namespace gsan::ops {

/// g [..., C] → [C]: over all dimensions but the last, on the CPU in fixed blocks of rows and in float64.
/// Where the sums are differentiated in turn, they are torch's.
at::Tensor column_sums(const at::Tensor& g);

}  // namespace gsan::ops
