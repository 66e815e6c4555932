#pragma once
// Reductions over consecutive rows: segment s owns the rows offsets[s] … offsets[s+1] − 1.
// The pairs of a receiving simplex are segments of the pair list, the complexes of a batch
// are segments of the simplices of one order.
//
//   x        [..., R, C]  float32 or float64
//   offsets  int64 [S+1], increasing (weakly) from 0 to R
//
// Registered as torch.ops.gsan.* for CPU, CUDA, Autograd and Meta, composed elsewhere. They differentiate any
// number of times. Sums run in a fixed order, in double: the bits do not depend on threads. On the CPU
// offsets are checked. On a GPU, where nobody waits for them, rows behind the last offset belong to no
// segment (zeros where a result has such rows), so that a batch may be padded.

#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

namespace gsan::ops {

/// Softmax over the rows of each segment and column, computed from the differences to the
/// segment's maximum: finite for any finite x.  [..., R, C] → [..., R, C]
at::Tensor segment_softmax(const at::Tensor& x, const at::Tensor& offsets);

/// y (g − the sum of g y over the segment) for the softmax y: its gradient in x. No gradient of its own.
at::Tensor segment_softmax_backward(const at::Tensor& gradient, const at::Tensor& y,
                                    const at::Tensor& offsets);

/// [..., R, C] → [..., S, C]; an empty segment gives zeros.
at::Tensor segment_sum(const at::Tensor& x, const at::Tensor& offsets);

/// Sum over count; an empty segment gives zeros.
at::Tensor segment_mean(const at::Tensor& x, const at::Tensor& offsets);

/// Largest entry; an empty segment gives zeros. The gradient goes to the first largest row.
at::Tensor segment_max(const at::Tensor& x, const at::Tensor& offsets);

/// Row r gets the value of its segment: the transpose of segment_sum.  [..., S, C] → [..., R, C], R = `rows`.
at::Tensor segment_spread(const at::Tensor& x, const at::Tensor& offsets, const c10::SymInt& rows);
/// Reads R from the offsets, which waits for their device.
at::Tensor segment_spread(const at::Tensor& x, const at::Tensor& offsets);

/// The first largest row of each segment and column, int64; a NaN counts as largest, an empty segment
/// gives −1.  [..., R, C] → [..., S, C]
at::Tensor segment_argmax(const at::Tensor& x, const at::Tensor& offsets);

}  // namespace gsan::ops
